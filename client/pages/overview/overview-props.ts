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
  /** The footer content of each site; undefined without a content service. */
  contents: OverviewContent[] | undefined;
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

export interface OverviewTime {
  /** In ISO 8601. */
  dateTime: string;
  text: string;
}

/** Where the footer content of a site is from. */
export interface OverviewContent {
  site: string;
  locale: string;
  name: string;
  /** Says which parts the service gives. */
  shown: string;
  /** Undefined before the service's first answer. */
  since: OverviewTime | undefined;
  /** The service's last answer, if it was refused; `more` says how many faults aren't listed. */
  refused: { at: OverviewTime; faults: readonly string[]; more: string | undefined } | undefined;
}

export interface OverviewSnippet {
  name: OverviewTextKey;
  hint: OverviewTextKey;
  blocks: { label: OverviewTextKey; code: string }[];
}
