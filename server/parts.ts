import { join } from "node:path";
import { type Assets, loadAssets } from "./assets.ts";
import type { Env } from "./env.ts";
import type { Readiness } from "./http/health-routes.ts";
import { loadTexts, type Texts } from "./i18n.ts";
import type { Logger } from "./logger.ts";
import { type Logos, loadLogos } from "./logos.ts";
import type { Metrics } from "./metrics.ts";
import { assetsFolder, root } from "./root.ts";
import { type CountryRegistry, loadCountries } from "./sites/countries.ts";
import { createSiteResolver, type SiteResolver } from "./sites/resolve-site.ts";

/** What the process creates before it loads anything. */
interface Process {
  logger: Logger;
  metrics: Metrics;
  readiness: Readiness;
}

/** What the routes of the service share, loaded once at the start. */
export interface Parts extends Process {
  assets: Assets;
  /** Folder of the built browser files. */
  assetsFolder: string;
  countries: CountryRegistry;
  logos: Logos;
  /** Folder of the default pictures of the newsletter sign-up. */
  picturesFolder: string;
  siteOf: SiteResolver;
  texts: Texts;
}

/**
 * Loads texts, countries, logos and the names of the built files.
 * @param port - the main listener's, at which the sites of the demo are served
 * @throws StartError naming what is wrong with them
 */
export async function loadParts(env: Env, process: Process, port: number): Promise<Parts> {
  const texts = await loadTexts(join(root, "locales"), process.logger);
  const countries = await loadCountries({
    folder: join(root, "countries"),
    texts,
    origins: env.siteOrigins,
    localPort: env.demo ? port : undefined,
  });
  return {
    ...process,
    assets: await loadAssets(assetsFolder, env.assetBaseUrl),
    assetsFolder,
    countries,
    logos: loadLogos(join(root, "client/footer/logos"), process.logger),
    picturesFolder: join(root, "client/newsletter/pictures"),
    siteOf: createSiteResolver(countries, env.defaultSite),
    texts,
  };
}
