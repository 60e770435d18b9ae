import type { RequestHandler } from "express";
import { DemoPage } from "../../client/demo/DemoPage.tsx";
import type { Assets } from "../assets.ts";
import type { Texts } from "../i18n.ts";
import type { PageRenderer } from "../pages/page-renderer.tsx";
import type { CountryRegistry } from "../sites/countries.ts";
import type { SiteResolver } from "../sites/resolve-site.ts";
import { includeFooter } from "./include-footer.ts";
import { namePages } from "./page-names.ts";
import { buildWorlds } from "./worlds.ts";

interface DemoPagesDeps {
  assets: Assets;
  countries: CountryRegistry;
  pages: PageRenderer;
  siteOf: SiteResolver;
  texts: Texts;
}

/** What stands on a page of a real shop, by how its path starts; `demo.info` on every other one. */
const contents = [
  { key: "demo.category", paths: /^\/category\// },
  { key: "demo.account", paths: /^\/(account|register)/ },
  { key: "demo.items", paths: /^\/(bag|wishlist)$/ },
] as const;

/**
 * Answers the pages that a demo shop links to and only a real shop has: each says what stands there. It isn't a route,
 * as which paths there are differs by site; what no link of the site leads to is left to the handlers behind.
 */
export function demoPages({ assets, countries, pages, siteOf, texts }: DemoPagesDeps): RequestHandler {
  const names = new Map(countries.sites.map((site) => [site.site, namePages(site, texts)]));
  return async (request, response, next) => {
    if (!/^(GET|HEAD)$/.test(request.method) || !request.accepts("html")) return next();
    const site = siteOf.page(request);
    const ofSite = names.get(site.site);
    const heading = ofSite?.get(request.url) ?? ofSite?.get(request.path);
    if (heading === undefined) return next();
    response.locals.route = "demo page";
    const text = texts.translator(site.locale, "page", { page: heading });
    const paragraphs = [text("demo.text"), text(contentOf(request.path))];
    const page = (
      <DemoPage
        {...includeFooter(request, site, await pages.shopProps(request, site))}
        title={heading}
        description={paragraphs.join(" ")}
        robots="noindex"
        label={text("demo.label")}
        heading={heading}
        paragraphs={paragraphs}
        link={{ url: "/", text: text("home") }}
        worlds={buildWorlds(assets, text)}
      />
    );
    await pages.send(response, page);
  };
}

function contentOf(path: string) {
  return contents.find(({ paths }) => paths.test(path))?.key ?? "demo.info";
}
