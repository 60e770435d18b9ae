import { Router } from "express";
import { HomePage } from "../../client/demo/HomePage.tsx";
import type { Assets } from "../assets.ts";
import type { PageRenderer } from "../pages/page-renderer.tsx";
import type { CountryRegistry, Site } from "../sites/countries.ts";
import type { SiteResolver } from "../sites/resolve-site.ts";
import { includeFooter } from "./include-footer.ts";
import { buildWorlds } from "./worlds.ts";

interface HomeDeps {
  assets: Assets;
  countries: CountryRegistry;
  pages: PageRenderer;
  siteOf: SiteResolver;
}

/** Answers the home page of a site's host: the demo shop, composed of the fragments. */
export function homeRoute({ assets, countries, pages, siteOf }: HomeDeps): Router {
  const router = Router();
  router.get("/", async (request, response, next) => {
    if (!countries.forHost(request.hostname)) return next();
    const site = siteOf.page(request);
    const shop = includeFooter(request, site, await pages.shopProps(request, site));
    await pages.send(response, <HomePage {...shop} {...content(site)} />);
  });
  return router;

  function content(site: Site) {
    const text = pages.translator(site);
    return {
      hero: {
        heading: text("hero.heading"),
        text: text("hero.text"),
        link: { url: "/category/coffee", text: text("hero.link") },
        image: assets.url("hero-coffee.svg"),
      },
      worlds: buildWorlds(assets, text),
      promises: {
        heading: text("promises.heading"),
        items: (["returns", "payment", "service"] as const).map((id) => ({
          icon: id,
          heading: text(`promise.${id}.heading`),
          text: text(`promise.${id}.text`),
        })),
      },
    };
  }
}
