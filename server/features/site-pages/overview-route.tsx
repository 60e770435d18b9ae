import { type Request, Router } from "express";
import { OverviewPage } from "../../../client/pages/overview/OverviewPage.tsx";
import type {
  OverviewContent,
  OverviewField,
  OverviewMatrix,
  OverviewProps,
  OverviewTextKey,
  OverviewTime,
} from "../../../client/pages/overview/overview-props.ts";
import type { Moment } from "../../../client/rules/time.ts";
import { toIso } from "../../platform/time.ts";
import type { Fragment } from "../../rendering/fragment.ts";
import { pageNeeds } from "../../rendering/fragment-data.tsx";
import type { PageRenderer } from "../../rendering/page-renderer.tsx";
import { countryName } from "../../sites/site.ts";
import type { ContentReport, Contents } from "../content/service.ts";
import type { AppContext } from "../feature.ts";
import { buildSnippets } from "./include-snippets.ts";
import {
  answers,
  listStates,
  type OverviewSelection,
  offerFragment,
  pathOf,
  queryOf,
  readSelection,
} from "./overview-selection.ts";
import type { NavigateTeam } from "./team-navigation.ts";

/**
 * The overview for page teams: each fragment in each country and state, and where the footers' contents are from. Every
 * host that is no site's has it.
 * @param shown - `head`: the fragment that belongs into the head of pages
 */
export function overviewRoute(
  context: AppContext,
  pages: PageRenderer,
  navigate: NavigateTeam,
  shown: { contents: Contents; fragments: readonly Fragment[]; head: Fragment },
): Router {
  const { assets, countries, siteOf, texts } = context;
  const { contents, head } = shown;
  const needs = pageNeeds(context);
  const fragments = shown.fragments.map(offerFragment);
  const [offered = offerFragment(head)] = fragments;
  const named = countries.sites.map((site) => ({ site, name: countryName(site) }));
  const sites = named.sort((a, b) => a.name.localeCompare(b.name, "en"));
  const router = Router();
  router.get("/", async (request, response, next) => {
    if (countries.forHost(request.hostname)) return next();
    const standard = { offered, site: siteOf.host(request) };
    const { selection, faults } = readSelection(request.query, fragments, countries, standard);
    const origin = originOf(request);
    const listed = listContents();
    const key = JSON.stringify([origin, queryOf(selection), faults, listed]);
    await pages.sendCached(response, key, () => (
      <OverviewPage {...buildProps(selection, faults, origin)} contents={listed} navigation={navigate(request)} />
    ));
  });
  return router;

  /** @param service - the origin at which the reader reaches the service */
  function buildProps(
    selection: OverviewSelection,
    faults: string[],
    service: string,
  ): Omit<OverviewProps, "navigation" | "contents"> {
    const { offered, site } = selection;
    const { fragment } = offered;
    return {
      text: texts.translator("en", "overview"),
      ...assets.filesOf({ styles: ["page.css", "overview.css"], scripts: ["copy-code.js", "fit-frames.js"] }),
      shops: sites.map(({ site: { origin, locale }, name }) => ({ url: `${origin}/`, locale, name })),
      faults: faults.map((name) => say("faults.item", { name })),
      fragments: fragments.map((other) => ({
        name: other.fragment.name,
        href: `/?${queryOf({ ...selection, offered: other, parameters: {} })}#combinations`,
        current: other === offered,
      })),
      matrix: buildMatrix(selection),
      fields: buildFields(selection),
      preview: {
        title: say("preview.title", {
          fragment: fragment.name,
          country: countryName(site),
          state: nameState(selection),
        }),
        path: pathOf(selection),
        nothing: reasonForNothing(selection),
      },
      include: {
        introduction: say("include.introduction", { service, site: site.origin }),
        snippets: buildSnippets(selection, fragment === head ? "head" : "body", service, needs),
      },
    };
  }

  function say(key: OverviewTextKey, values?: Record<string, string>): string {
    return texts.translator("en", "overview", values)(key);
  }

  function buildMatrix(selection: OverviewSelection): OverviewMatrix {
    const { offered } = selection;
    const states = listStates(offered);
    const selected = queryOf(selection);
    return {
      caption: say("matrix.caption", { fragment: offered.fragment.name }),
      states: states.map(nameState),
      rows: sites.map(({ site, name }) => ({
        name,
        locale: site.locale,
        site: site.site,
        cells: states.map((state) => {
          const query = queryOf({ offered, site, ...state });
          return { href: `/?${query}#preview`, current: query === selected };
        }),
      })),
    };
  }

  /** Names a state by what differs from the default. */
  function nameState({ parameters, answer }: Pick<OverviewSelection, "parameters" | "answer">): string {
    if (answer !== "content") return say(`state.${answer}`);
    const names = Object.entries(parameters).map(([name, value]) => {
      if (value === "true") return name;
      return value === "false" ? say("state.without", { name }) : `${name} ${value}`;
    });
    return names.join(", ") || say("state.default");
  }

  function buildFields({ offered, site, answer, parameters }: OverviewSelection): OverviewField[] {
    const names = fragments.map(({ fragment: { name } }) => ({ value: name, label: name }));
    const shops = sites.map(({ site: { site: value }, name }) => ({ value, label: `${name} (${value})` }));
    const labelled = answers.map((value) => ({ value, label: say(`answer.${value}`) }));
    const field = (name: "fragment" | "site" | "answer", value: string, options: OverviewField["options"]) => ({
      ...{ name, label: say(`form.${name}`), hint: say(`form.${name}.hint`), value, options },
    });
    return [
      field("fragment", offered.fragment.name, names),
      field("site", site.site, shops),
      field("answer", answer, labelled),
      ...offered.fields.map(({ name, description, choices, initial }) => ({
        name,
        label: name,
        hint: description,
        value: parameters[name] ?? initial,
        options: choices?.map((value) => ({
          value,
          label: value === initial ? say("form.default", { value }) : value,
        })),
      })),
    ];
  }

  function listContents(): OverviewContent[] | undefined {
    if (!contents.report) return undefined;
    const { report } = contents;
    return sites.map(({ site, name }) => {
      const { parts, since, refused } = report(site);
      const [listed, all] = [refused?.faults.length ?? 0, refused?.count ?? 0];
      return {
        ...{ name, site: site.site, locale: site.locale, shown: say(nameParts(parts)) },
        since: since === undefined ? undefined : timeOf(since),
        refused: refused && {
          at: timeOf(refused.at),
          faults: refused.faults,
          more: all > listed ? say("contents.more", { listed: String(listed), all: String(all) }) : undefined,
        },
      };
    });
  }

  /** A frame would show the browser's own error page for an empty answer, and nothing for tags that load files. */
  function reasonForNothing({ offered, answer }: OverviewSelection): OverviewTextKey | undefined {
    if (answer === "error") return "preview.empty";
    return offered.fragment === head ? "preview.tags" : undefined;
  }
}

function nameParts(parts: ContentReport["parts"]): OverviewTextKey {
  const [part, other] = parts;
  if (part === undefined) return "contents.builtIn";
  return other ? "contents.both" : `contents.${part}`;
}

function timeOf(at: Moment): OverviewTime {
  const format = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", dateStyle: "medium", timeStyle: "long" });
  return { dateTime: toIso(at), text: format.format(at) };
}

/** The origin in the reader's address bar, at which the reader's machine reaches this service. */
function originOf({ protocol, host, socket }: Request): string {
  return (
    URL.parse(`${protocol === "https" ? "https" : "http"}://${host}`)?.origin ?? `http://localhost:${socket.localPort}`
  );
}
