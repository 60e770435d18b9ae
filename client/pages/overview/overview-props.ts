import type overview from "../../../locales/en/overview.json";
import type { AssetFiles } from "../../assets/AssetTags.tsx";
import type { TeamNavigation } from "../team/TeamPage.tsx";

export interface OverviewProps extends AssetFiles {
  /** Returns a text of the overview. */
  text: (key: OverviewTextKey) => string;
  navigation: TeamNavigation;
  shops: { url: string; locale: string; name: string }[];
  /** Messages about a wrong query. */
  faults: string[];
  fragments: { name: string; href: string; current: boolean }[];
  matrix: OverviewMatrix;
  fields: OverviewField[];
  /** The selected answer; `nothing`: the reason why it isn't shown. */
  preview: { title: string; path: string; nothing: OverviewTextKey | undefined };
  include: { introduction: string; snippets: OverviewSnippet[] };
}

export type OverviewTextKey = keyof typeof overview;

export interface OverviewMatrix {
  caption: string;
  states: string[];
  rows: {
    name: string;
    locale: string;
    site: string;
    /** The states of the site, in the order of `states`. */
    cells: { href: string; current: boolean }[];
  }[];
}

/** A control of the form: a select, or a text field if it has no `options`. */
export interface OverviewField {
  name: string;
  label: string;
  hint: string;
  value: string;
  options: { value: string; label: string }[] | undefined;
}

export interface OverviewSnippet {
  name: OverviewTextKey;
  hint: OverviewTextKey;
  blocks: { label: OverviewTextKey; code: string }[];
}
