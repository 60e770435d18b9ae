import { type Request, Router } from "express";
import { OverviewPage } from "../../client/overview/OverviewPage.tsx";
import type { Assets } from "../assets.ts";
import type { Fragment } from "../fragments/fragment.ts";
import type { Texts } from "../i18n.ts";
import type { PageRenderer } from "../pages/page-renderer.tsx";
import type { MailReader } from "../services/mail-reader.ts";
import type { CountryRegistry } from "../sites/countries.ts";
import type { SiteResolver } from "../sites/resolve-site.ts";
import { fetchAnswer } from "./overview-answer.ts";
import { readParameterFields } from "./overview-fields.ts";
import { buildOverviewProps } from "./overview-props.ts";
import { pathOf, queryOf, readOverviewSelection } from "./overview-selection.ts";

interface OverviewDeps {
  assets: Assets;
  countries: CountryRegistry;
  fragments: readonly Fragment[];
  /** The fragment that belongs into the head of pages. */
  head: Fragment;
  /** The newsletter's mails; undefined where they aren't shown. */
  mails: MailReader | undefined;
  pages: PageRenderer;
  siteOf: SiteResolver;
  texts: Texts;
}

/** Answers the overview of each fragment in each country and state, for page teams, on every host but the sites'. */
export function overviewRoute({ pages, siteOf, ...deps }: OverviewDeps): Router {
  const { countries } = deps;
  const fragments = deps.fragments.map((fragment) => ({ fragment, fields: readParameterFields(fragment.name) }));
  const router = Router();
  router.get("/", async (request, response, next) => {
    if (countries.forHost(request.hostname)) return next();
    const selection = readOverviewSelection(request.query, { countries, defaultSite: siteOf.host(request), fragments });
    const origin = originOf(request);
    const key = JSON.stringify([origin, queryOf(selection, selection.width), selection.faults]);
    await pages.sendKept(response, key, async () => {
      const answer = await fetchAnswer(request.socket, pathOf(selection));
      const props = buildOverviewProps({ ...deps, fragments }, selection, answer, origin);
      return { page: <OverviewPage {...props} />, isPassing: "failure" in answer };
    });
  });
  return router;
}

/** Gives the origin in the reader's address bar, at which the reader's machine reaches this service. */
function originOf({ protocol, host, socket }: Request): string {
  return (
    URL.parse(`${protocol === "https" ? "https" : "http"}://${host}`)?.origin ?? `http://localhost:${socket.localPort}`
  );
}
