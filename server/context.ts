import type { Request } from "express";
import packageJson from "../package.json" with { type: "json" };
import { loadBrand } from "./brand/load-brand.ts";
import { loadImages } from "./brand/load-images.ts";
import type { CheckedEnv, Env } from "./config/env.ts";
import type { AppContext } from "./features/feature.ts";
import { createOriginalAddressOf } from "./http/client-address.ts";
import { createEdgeTags } from "./http/edge-tags.ts";
import { createSecurityHeaders } from "./http/security-headers.ts";
import { createAssets, readBuild } from "./platform/assets.ts";
import { StartError } from "./platform/errors.ts";
import { dropConsequentialFaults } from "./platform/faults.ts";
import { locateFaults, writeLocated } from "./platform/locate-faults.ts";
import type { Logger } from "./platform/logger.ts";
import { assetsFolder } from "./platform/paths.ts";
import { loadSecretKeys } from "./platform/secret-keys.ts";
import { createSecurityEvents } from "./platform/security-events.ts";
import { builtIn, hashShop } from "./platform/shop-folder.ts";
import { loadTexts } from "./platform/texts.ts";
import { findStartFaults } from "./process/start-faults.ts";
import { readCountries } from "./sites/countries.ts";
import { createSiteResolver } from "./sites/resolve-site.ts";
import { openStore, type Store } from "./store/open-store.ts";
import { openUpstreams } from "./upstream/site-upstreams.ts";

/**
 * Loads texts, countries, images and the names of the built files: the built-in ones, overridden by those of the shop's
 * own folder.
 * @param port - the main listener's port, at which the demo's sites are served
 * @returns the shop, and all its faults
 * @throws StartError if there is no build
 */
export async function loadShop(env: Env, logger: Logger, port: number) {
  const { shopFolder } = env;
  const build = await readBuild(assetsFolder);
  const { drawings, logos, pictures, ...images } = loadImages(shopFolder, build);
  const { brand, ...ofBrand } = loadBrand(shopFolder, build, images.style);
  const { texts, findFaults } = await loadTexts(logger, builtIn.locales, shopFolder, brand.name);
  const { countries, uncheckedSites, named, faults } = await readCountries({
    folder: shopFolder.countries,
    drawings,
    texts,
    brand,
    origins: env.siteOrigins,
    localPort: env.demo ? port : undefined,
  });
  const shopHash = hashShop(shopFolder);
  const files = new Map([...images.assets, ...ofBrand.assets]);
  const assets = createAssets(build, env.assetBaseUrl, shopHash === undefined ? undefined : { id: shopHash, files });
  return {
    shop: { assets, brand, countries, drawings, logos, pictures, texts },
    uncheckedSites,
    faults: [
      ...shopFolder.faults,
      // Listed before the countries that name its texts: an unreadable file of texts causes hundreds of faults there.
      ...findFaults(named),
      ...faults,
      ...images.faults,
      ...dropConsequentialFaults(ofBrand.faults, shopFolder.faults),
    ],
  };
}

/**
 * Loads the shop for a start.
 * @param port - at which visitors reach the service
 * @throws StartError naming every fault of the environment, of the shop, and of their combination
 */
export async function loadFaultlessShop(checked: CheckedEnv, logger: Logger, port: number) {
  const loaded = await loadShop(checked.env, logger, port);
  const faults = findStartFaults(checked, loaded);
  if (faults.length > 0) throw new StartError(writeLocated(await locateFaults(faults, checked.env.shopFolder)));
  return loaded.shop;
}

type Base = Pick<AppContext, "env" | "logger" | "metrics" | "readiness" | "resources">;
type Shop = Awaited<ReturnType<typeof loadShop>>["shop"];

/**
 * Creates the context of all features. The first feature that needs the store opens it.
 * @param base - its resources are closed when the process ends
 * @throws StartError if the default site doesn't exist, or secrets can't be read
 */
export function createContext(base: Base, shop: Shop): AppContext {
  const { env, logger, metrics, resources } = base;
  const { assets, brand, countries } = shop;
  const keys = loadSecretKeys(env);
  const siteOf = createSiteResolver(countries, env.defaultSite);
  /** The sign-out form leads to the provider of the site's customers. */
  const formTargetOf = (request: Request) => {
    const provider = env.identityProviders.get(siteOf.host(request).site);
    return provider && new URL(provider.issuer).origin;
  };
  let store: Promise<Store> | undefined;
  metrics.build.set({ version: packageJson.version, build: assets.build, node: process.versions.node }, 1);
  return {
    ...base,
    ...shop,
    edgeTags: createEdgeTags(env.edgeTagHeaders),
    securityHeaders: createSecurityHeaders({ assets, brand, hsts: env.hsts, reportUrl: env.reportUrl, formTargetOf }),
    siteOf,
    originalAddressOf: createOriginalAddressOf(env.originalAddressFrom),
    keys,
    upstreams: openUpstreams(env, countries.sites, logger, metrics),
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
      logger.warn("the secret key is stored beside the database: set SECRET_KEY");
    return opened;
  }
}
