import { type Request, Router } from "express";
import { OverviewPage, type OverviewProps } from "../../../client/pages/overview/OverviewPage.tsx";
import type { OverviewField, OverviewText } from "../../../client/pages/overview/Selection.tsx";
import type { Fragment } from "../../rendering/fragment.ts";
import { pageNeeds } from "../../rendering/fragment-data.tsx";
import type { PageRenderer } from "../../rendering/page-renderer.tsx";
import { countryName } from "../../sites/site.ts";
import { listServices, readDocument } from "../../upstream/service-documents.ts";
import type { Contents } from "../content/service.ts";
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
 * The overview for page teams: each fragment in each country and state, and the origin of the footers' content. Every
 * host that belongs to no site shows it.
 * @param shown - `head`: the fragment for the head of pages
 */
export function overviewRoute(
  context: AppContext,
  pages: PageRenderer,
  navigate: NavigateTeam,
  shown: { contents: Contents; fragments: readonly Fragment[]; head: Fragment },
): Router {
  const { assets, countries, siteOf, texts } = context;
  const { head } = shown;
  const { report } = shown.contents;
  const needs = pageNeeds(context);
  const fragments = shown.fragments.map(offerFragment);
  const [offered = offerFragment(head)] = fragments;
  const named = countries.sites.map((site) => ({ site, name: countryName(site) }));
  const sites = named.sort((a, b) => a.name.localeCompare(b.name, "en"));
  const text: OverviewText = (key, values) => texts.translator("en", "overview", values)(key);
  const documents = listServices().map((name) => ({ name, ...readDocument(name).info }));
  const router = Router();
  router.get("/", async (request, response, next) => {
    if (countries.forHost(request.hostname)) return next();
    const standard = { offered, site: siteOf.host(request) };
    const { selection, faults } = readSelection(request.query, fragments, countries, standard);
    const service = originOf(request);
    const page = (
      <OverviewPage
        {...assets.filesOf({ styles: ["page.css", "overview.css"], scripts: ["copy-code.js", "fit-frames.js"] })}
        text={text}
        navigation={navigate(request)}
        shops={sites.map(({ site: { origin, locale }, name }) => ({ url: `${origin}/`, locale, name }))}
        faults={faults}
        matrix={buildMatrix(selection)}
        fields={buildFields(selection)}
        preview={buildPreview(selection)}
        include={{
          introduction: text("include.introduction", { service, site: selection.site.origin }),
          snippets: buildSnippets(selection, selection.offered.fragment === head ? "head" : "body", service, needs),
        }}
        contents={
          report && sites.map(({ site, name }) => ({ name, site: site.site, locale: site.locale, ...report(site) }))
        }
        services={{ text: texts.translator("en", "openapi"), documents }}
      />
    );
    await pages.send(response, page);
  });
  return router;

  function buildMatrix(selection: OverviewSelection): OverviewProps["matrix"] {
    const { offered } = selection;
    const states = listStates(offered);
    const selected = queryOf(selection);
    return {
      fragments: fragments.map((other) => ({
        name: other.fragment.name,
        href: `/?${queryOf({ ...selection, offered: other, parameters: {} })}#combinations`,
        current: other === offered,
      })),
      fragment: offered.fragment.name,
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

  /** Names a state by its differences from the default. */
  function nameState({ parameters, answer }: Pick<OverviewSelection, "parameters" | "answer">): string {
    if (answer !== "content") return text(`state.${answer}`);
    const names = Object.entries(parameters).map(([name, value]) => {
      if (value === "true") return name;
      return value === "false" ? text("state.without", { name }) : `${name} ${value}`;
    });
    return names.join(", ") || text("state.default");
  }

  function buildFields({ offered, site, answer, parameters }: OverviewSelection): OverviewField[] {
    const names = fragments.map(({ fragment: { name } }) => ({ value: name, label: name }));
    const shops = sites.map(({ site: { site: value }, name }) => ({ value, label: `${name} (${value})` }));
    const labelled = answers.map((value) => ({ value, label: text(`answer.${value}`) }));
    const field = (name: "fragment" | "site" | "answer", value: string, options: OverviewField["options"]) => ({
      name,
      label: text(`form.${name}`),
      hint: text(`form.${name}.hint`),
      value,
      options,
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
          label: value === initial ? text("form.default", { value }) : value,
        })),
      })),
    ];
  }

  /**
   * For an empty answer, a frame would show the browser's own error page. For tags that load files, it would show
   * nothing.
   */
  function buildPreview(selection: OverviewSelection): OverviewProps["preview"] {
    const { answer, offered, site } = selection;
    const named = { fragment: offered.fragment.name, country: countryName(site), state: nameState(selection) };
    const tags = offered.fragment === head ? "preview.tags" : undefined;
    return {
      title: text("preview.title", named),
      path: pathOf(selection),
      emptyReason: answer === "error" ? "preview.empty" : tags,
    };
  }
}

/** The origin in the reader's address bar, at which the reader's machine reaches this service. */
function originOf({ protocol, host, socket }: Request): string {
  return (
    URL.parse(`${protocol === "https" ? "https" : "http"}://${host}`)?.origin ?? `http://localhost:${socket.localPort}`
  );
}
