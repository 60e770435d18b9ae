import { Router } from "express";
import { forGood } from "../http/who-may-store.ts";
import type { CountryRegistry } from "../sites/countries.ts";
import type { NewsletterContents } from "./newsletter-content.ts";

interface ContentDeps {
  countries: CountryRegistry;
  newsletterContents: NewsletterContents;
}

/**
 * The route from which browsers load what a site's sign-up blocks show. There is only the content of this release: that
 * of another one doesn't go with its markup, and React would put new fields in place of those in use.
 */
export function newsletterContentRoute({ countries, newsletterContents }: ContentDeps): Router {
  return Router({ caseSensitive: true }).get(
    "/assets/newsletter-:site-:hash.json",
    ({ params, path }, response, next) => {
      const site = countries.get(params.site);
      const content = site && newsletterContents(site);
      if (content?.address !== path) return next();
      response.set("Cache-Control", forGood).json(content.props);
    },
  );
}
