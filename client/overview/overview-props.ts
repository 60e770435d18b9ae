import type overview from "../../locales/en/overview.json";

/** What the overview shows: a choice of the service's answers, and everything about the chosen one. */
export interface OverviewProps {
  text: OverviewText;
  styles: string[];
  scripts: string[];
  /** Whether the newsletter's mails are shown, too. */
  hasOutbox: boolean;
  shops: { url: string; locale: string; name: string }[];
  /** What was wrong in the query, in words. */
  faults: string[];
  fragments: { name: string; href: string; current: boolean }[];
  matrix: OverviewMatrix;
  fields: OverviewField[];
  widths: { value: string; label: string; selected: boolean }[];
  preview: { title: string; path: string };
  answer: OverviewAnswer;
  include: { introduction: string; snippets: OverviewSnippet[] };
}

export type OverviewTextKey = keyof typeof overview;

/** Gives a text of the overview. */
export type OverviewText = (key: OverviewTextKey) => string;

export interface OverviewMatrix {
  caption: string;
  states: string[];
  rows: {
    name: string;
    locale: string;
    site: string;
    cells: { href: string; label: string; current: boolean }[];
  }[];
}

/** A control of the form; one without `options` takes any text. */
export interface OverviewField {
  name: string;
  label: string;
  hint: string;
  value: string;
  options?: { value: string; label: string }[];
}

export type OverviewAnswer =
  | { status: string; headers: [name: string, value: string][]; body: string; bytes: number; gzipBytes: number }
  | { failure: string };

export interface OverviewSnippet {
  name: OverviewTextKey;
  hint: OverviewTextKey;
  blocks: { label: OverviewTextKey; code: string }[];
}
