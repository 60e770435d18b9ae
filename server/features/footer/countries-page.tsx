import { Router } from "express";
import { CountriesPage } from "../../../client/pages/CountriesPage.tsx";
import type { PageRenderer } from "../../rendering/page-renderer.tsx";
import { footerTranslator } from "../../sites/site-content.ts";
import type { Contents } from "../content/service.ts";
import type { AppContext } from "../feature.ts";
import { countriesPath, listCountries } from "./country-links.ts";

/** The page of a site that lists the sites of all countries. Footers link to it if there are too many to list. */
export function countriesRoute(context: AppContext, contents: Contents, pages: PageRenderer): Router {
  return Router().get(countriesPath, async (request, response) => {
    const site = context.siteOf.page(request);
    const heading = footerTranslator(contents.current(site))("switcher.heading");
    const props = { ...(await pages.shopProps(request, site)), title: heading, description: heading };
    const countries = () => listCountries(context);
    await pages.send(response, <CountriesPage {...props} countries={countries} current={site.switcher.code} />);
  });
}
