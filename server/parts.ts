import { type Assets, createAssets, readBuild } from "./assets.ts";
import type { Brand } from "./brand/brand.ts";
import { loadBrand } from "./brand/load-brand.ts";
import type { Env } from "./env.ts";
import { StartError } from "./errors.ts";
import type { Readiness } from "./http/health-routes.ts";
import { createTexts, type Texts } from "./i18n.ts";
import { loadImages, type Pictures } from "./images/load-images.ts";
import type { Logos } from "./images/logos.ts";
import { readLocales } from "./locale-files.ts";
import type { Logger } from "./logger.ts";
import type { Metrics } from "./metrics.ts";
import { assetsFolder } from "./root.ts";
import { builtIn, hashShop } from "./shop-folder.ts";
import { type CountryRegistry, type Drawings, readCountries, type Site } from "./sites/countries.ts";
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
  brand: Brand;
  countries: CountryRegistry;
  drawings: Drawings;
  logos: Logos;
  /** The default pictures of the newsletter sign-up. */
  pictures: Pictures;
  siteOf: SiteResolver;
  texts: Texts;
}

/**
 * Loads texts, countries, images and the names of the built files: the built-in ones, and over them those of the shop's
 * own folder.
 * @param port - the main listener's, at which the sites of the demo are served
 * @param findOthers - finds what else is wrong, to be named with the rest
 * @throws StartError naming all that is wrong with them
 */
export async function loadParts(
  env: Env,
  process: Process,
  port: number,
  findOthers: (sites: readonly Site[]) => string[] = () => [],
): Promise<Parts> {
  const { shopFolder } = env;
  const build = await readBuild(assetsFolder);
  const { drawings, logos, pictures, ...images } = loadImages(shopFolder, build, process.logger);
  const { brand, ...ofBrand } = loadBrand(shopFolder, build, env.sites);
  const { locales, findFaults } = readLocales(builtIn.locales, shopFolder.locales);
  const texts = await createTexts(locales, process.logger);
  const { countries, named, faults } = await readCountries({
    folder: shopFolder.countries,
    drawings,
    texts,
    legalNames: brand.legalNames,
    origins: env.siteOrigins,
    localPort: env.demo ? port : undefined,
  });
  const allFaults = [
    ...findOthers(countries.sites),
    ...faults,
    ...findFaults(named),
    ...images.faults,
    ...ofBrand.faults,
  ];
  if (allFaults.length > 0) throw new StartError(allFaults);
  const id = hashShop(shopFolder);
  const files = new Map([...images.assets, ...ofBrand.assets]);
  return {
    ...process,
    assets: createAssets(build, env.assetBaseUrl, id === undefined ? undefined : { id, files }),
    assetsFolder,
    brand,
    countries,
    drawings,
    logos,
    pictures,
    siteOf: createSiteResolver(countries, env.defaultSite),
    texts,
  };
}
