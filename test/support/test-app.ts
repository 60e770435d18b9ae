import type { Express } from "express";
import { type AppDeps, createApp } from "../../server/app.ts";
import { createFragments } from "../../server/create-fragments.ts";
import { type Env, readEnv } from "../../server/env.ts";
import { createPromotions, type Promotions } from "../../server/footer/promotions.ts";
import { createFallbacks } from "../../server/fragments/fallbacks.ts";
import { createOverload } from "../../server/http/overload.ts";
import { createMetrics } from "../../server/metrics.ts";
import { loadParts, type Parts } from "../../server/parts.ts";
import type { MailTransport } from "../../server/shop/mail/mail-transport.ts";
import { openShop, type Shop } from "../../server/shop/open-shop.ts";
import { seedDemo } from "../../server/shop/seed-demo.ts";
import type { Store } from "../../server/shop/store/open-store.ts";
import { createSiteResolver } from "../../server/sites/resolve-site.ts";
import { createTestLog } from "./test-log.ts";
import { openSharedStore, openTestStore } from "./test-store.ts";

/** What a test app is made of, flat. */
export interface TestDeps extends Env, Parts {
  promotions: Promotions;
  shop: Shop;
  store: Store;
}

/** What a test may replace. */
export type TestChanges = Partial<Omit<TestDeps, "promotions">> &
  Pick<Partial<AppDeps>, "overload" | "renderElement" | "tracer"> & {
    promotions?: Partial<Promotions>;
    openMailTransport?(): MailTransport;
  };

export interface TestApp {
  app: Express;
  deps: TestDeps;
  /** Every line the service has logged so far. */
  logs: Record<string, unknown>[];
}

const { logger, lines: logs } = createTestLog();
export const testLogger = logger;

const env = readEnv({});
const parts = await loadParts(env, { logger, metrics: createMetrics(), readiness: { state: "ready" } }, 3000);

/** The built-in shop, for tests that hold for each of its sites. */
export const { brand, countries, drawings, pictures, texts } = parts;
export const { sites } = countries;

/** A store with what the service seeds on its embedded defaults. */
async function openDemoStore(): Promise<Store> {
  const opened = await openTestStore(testLogger);
  await seedDemo({ db: opened.db, sites, texts });
  return opened;
}

/** Nobody reads the mails: the shop's jobs aren't started. */
const readByNobody = () => ({ send: async () => undefined, close: () => undefined });

/**
 * The real app with its real parts and the embedded services. The apps of a test file share one store, and what
 * the shop does by itself isn't started.
 * @param changes - what to replace
 */
export async function createTestApp(changes: TestChanges = {}): Promise<TestApp> {
  const store = changes.store ?? (await openSharedStore(openDemoStore));
  logs.length = 0;
  // The sites are at the hosts of the demo, whose sign-ins nobody needs.
  const ownEnv: Env = { ...env, demo: false, ...changes };
  const ownParts: Parts = { ...parts, metrics: createMetrics(), ...changes };
  ownParts.siteOf = createSiteResolver(ownParts.countries, ownEnv.defaultSite);
  const { openMailTransport = readByNobody } = changes;
  const shop = await openShop({ env: ownEnv, parts: ownParts, openStore: async () => store, openMailTransport });
  const kept = createPromotions({
    ...ownParts,
    sites: ownParts.countries.sites,
    service: shop.promotion,
    purge: shop.purge,
  });
  const promotions = { ...kept, ...changes.promotions };
  const { renderElement } = changes;
  const fragments = createFragments({ ...ownParts, promotions });
  const app = createApp({
    ...ownParts,
    env: ownEnv,
    fallbacks: createFallbacks(),
    fragments,
    overload: changes.overload ?? createOverload(ownParts),
    shop,
    tracer: changes.tracer,
    ...(renderElement && { renderElement }),
  });
  return { app, deps: { ...ownEnv, ...ownParts, promotions, shop, store }, logs };
}
