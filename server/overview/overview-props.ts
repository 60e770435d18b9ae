import type { OverviewAnswer, OverviewProps } from "../../client/overview/overview-props.ts";
import type { Assets } from "../assets.ts";
import type { Fragment } from "../fragments/fragment.ts";
import type { Texts } from "../i18n.ts";
import type { MailReader } from "../services/mail-reader.ts";
import type { CountryRegistry } from "../sites/countries.ts";
import { countryName } from "../sites/country-name.ts";
import type { IncludeTarget } from "./overview-code.ts";
import { buildFields } from "./overview-form.ts";
import { buildMatrix, nameState, type Say } from "./overview-matrix.ts";
import {
  type AnswerChoice,
  type OfferedFragment,
  type OverviewSelection,
  pathOf,
  queryOf,
  widths,
} from "./overview-selection.ts";
import { buildSnippets } from "./overview-snippets.ts";

export interface OverviewSources {
  assets: Assets;
  countries: CountryRegistry;
  fragments: readonly OfferedFragment[];
  /** The fragment for the head of pages. */
  head: Fragment;
  /** The newsletter's mails; undefined where they aren't shown. */
  mails: MailReader | undefined;
  texts: Texts;
}

/**
 * Builds what the overview shows.
 * @param answer - what the service answers to the selection
 * @param service - the origin at which the reader reaches the service
 */
export function buildOverviewProps(
  { assets, countries, fragments, head, mails, texts }: OverviewSources,
  selection: OverviewSelection,
  answer: OverviewAnswer,
  service: string,
): OverviewProps {
  const { offered, site, width } = selection;
  const say: Say = (key, values) => texts.translator("en", "overview", values)(key);
  const path = pathOf(selection);
  return {
    text: texts.translator("en", "overview"),
    ...assets.urls({ styles: ["page.css", "overview.css"], scripts: ["copy-code.js"] }),
    shops: countries.sites.map((shop) => ({ url: `${shop.origin}/`, locale: shop.locale, name: countryName(shop) })),
    hasOutbox: mails !== undefined,
    faults: selection.faults.map((name) => say("faults.item", { name })),
    fragments: fragments.map((other) => ({
      name: other.fragment.name,
      href: `/?${queryOf({ ...selection, offered: other, parameters: {} }, width)}#combinations`,
      current: other === offered,
    })),
    matrix: buildMatrix(selection, countries.sites, say),
    fields: buildFields(selection, fragments, countries.sites, say),
    widths: widths.map((value) => ({
      value,
      label: value === "full" ? say("preview.width.full") : say("preview.width.pixels", { width: value }),
      selected: value === width,
    })),
    preview: {
      title: say("preview.title", {
        fragment: offered.fragment.name,
        country: countryName(site),
        state: nameState(selection, say),
      }),
      path,
    },
    answer,
    include: {
      introduction: say("include.introduction", { service, site: site.origin }),
      snippets: buildSnippets(targetOf(selection, head, service)),
    },
  };
}

/** Gives what pages include: the fragment's content, also where the selection is its fallback or an error. */
function targetOf({ offered, site, parameters }: OverviewSelection, head: Fragment, service: string): IncludeTarget {
  const { fragment, fields } = offered;
  const path = (of: OfferedFragment, values: AnswerChoice["parameters"]) =>
    pathOf({ offered: of, site, parameters: values, answer: "content" });
  const splits = fields.some(({ name, choices }) => name === "assets" && choices?.includes("none"));
  return {
    fragment: fragment.name,
    manifest: `/fragments/${fragment.name}/${site.site}/manifest.json`,
    path: path(offered, parameters),
    parameters,
    place: fragment === head ? "head" : "body",
    service,
    site: site.origin,
    ...(splits && {
      split: { head: path({ fragment: head, fields: [] }, {}), body: path(offered, { ...parameters, assets: "none" }) },
    }),
  };
}
