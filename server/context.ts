import packageJson from "../package.json" with { type: "json" };
import { loadBrand } from "./brand/load-brand.ts";
import { loadImages } from "./brand/load-images.ts";
import type { Env } from "./config/env.ts";
import type { AppContext } from "./features/feature.ts";
import { createOriginalAddressOf } from "./http/client-address.ts";
import { createLoadShedding } from "./http/load-shedding.ts";
import { createSecurityHeaders } from "./http/security-headers.ts";
import { createAssets, readBuild } from "./platform/assets.ts";
import { StartError } from "./platform/errors.ts";
import type { Readiness, Resource } from "./platform/lifecycle.ts";
import type { Logger } from "./platform/logger.ts";
import type { Metrics } from "./platform/metrics.ts";
import { assetsFolder } from "./platform/paths.ts";
import { loadSecretKeys } from "./platform/secret-keys.ts";
import { createSecurityEvents } from "./platform/security-events.ts";
import { builtIn, hashShop } from "./platform/shop-folder.ts";
import { loadTexts } from "./platform/texts.ts";
import { readCountries, type Site } from "./sites/countries.ts";
import { createSiteResolver } from "./sites/resolve-site.ts";
import { openStore, type Store } from "./store/open-store.ts";
import { openUpstreams } from "./upstream/upstream.ts";

interface ContextOptions {
  env: Env;
  logger: Logger;
  metrics: Metrics;
  readiness: Readiness;
  /** What the process closes before it ends. */
  resources?: Resource[];
  /** The main listener's port, at which the sites of the demo are served. */
  port: number;
  /** Finds what else is wrong, to be reported with the rest. */
  findOthers?(sites: readonly Site[]): string[];
}

/**
 * Creates what every feature works with. Loads texts, countries, images and the names of the built files: the built-in
 * ones, and over them those of the shop's own folder. The store is opened by the first feature that needs it.
 * @throws StartError naming all that is wrong with them
 */
export async function createContext(options: ContextOptions): Promise<AppContext> {
  const { env, logger, metrics, readiness, resources = [], port, findOthers = () => [] } = options;
  const { shopFolder } = env;
  const build = await readBuild(assetsFolder);
  const { drawings, logos, pictures, ...images } = loadImages(shopFolder, build, logger);
  const { brand, ...ofBrand } = loadBrand(shopFolder, build, env.sites);
  const { texts, findFaults } = await loadTexts(logger, builtIn.locales, shopFolder.locales);
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
  const keys = loadSecretKeys(env);
  let store: Promise<Store> | undefined;
  const shopHash = hashShop(shopFolder);
  const files = new Map([...images.assets, ...ofBrand.assets]);
  const assets = createAssets(build, env.assetBaseUrl, shopHash === undefined ? undefined : { id: shopHash, files });
  metrics.build.set({ version: packageJson.version, build: assets.build, node: process.versions.node }, 1);
  return {
    env,
    logger,
    metrics,
    readiness,
    loadShedding: createLoadShedding({ logger, metrics }),
    securityHeaders: createSecurityHeaders({ assets, brand, hsts: env.hsts }),
    assets,
    brand,
    countries,
    drawings,
    logos,
    pictures,
    siteOf: createSiteResolver(countries, env.defaultSite),
    originalAddressOf: createOriginalAddressOf(env.originalAddressFrom),
    texts,
    keys,
    upstreams: openUpstreams(env.upstreams, logger, metrics),
    resources,
    openStore() {
      store ??= open();
      return store;
    },
    openedStore: () => store,
    reportSecurityEvent: createSecurityEvents(keys, logger, metrics),
  };

  async function open(): Promise<Store> {
    const opened = await openStore({ ...env, logger, metrics });
    resources.push(opened);
    if (env.production && !env.secretKey && !env.secretKeyFile)
      logger.warn("the secret key lies beside the database: set SECRET_KEY");
    return opened;
  }
}
