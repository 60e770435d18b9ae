import type { RequestListener } from "node:http";
import type { Express } from "express";
import { type App, createApp } from "../../server/app.ts";
import { type Env, readEnv } from "../../server/config/env.ts";
import { createContext, loadShop } from "../../server/context.ts";
import type { AppContext } from "../../server/features/feature.ts";
import type { Promotions } from "../../server/features/footer/promotions.ts";
import { createMetrics } from "../../server/platform/metrics.ts";
import type { Site } from "../../server/sites/countries.ts";
import type { Store } from "../../server/store/open-store.ts";
import { seedDemo } from "./seed-demo.ts";
import { createTestLog } from "./test-log.ts";
import { endWithStores, openSharedStore, openTestStore, testSecret } from "./test-store.ts";

/** Parts that a test may replace: variables of the environment and parts of the context, in one object. */
export type TestChanges = Partial<Omit<Env, "upstreams">> &
  Partial<Omit<AppContext, "env" | "upstreams">> & {
    upstreams?: Env["upstreams"];
    promotions?: Partial<Promotions>;
    store?: Store;
  };

/** What a test app is made of, flat. */
export interface TestDeps extends Omit<AppContext, "upstreams" | "env">, Env {
  promotions: Promotions;
  store: Store;
}

export interface TestApp {
  app: Express;
  /** Answers as the server does: from the cache before the app. */
  listener: RequestListener;
  context: AppContext;
  deps: TestDeps;
  service: App;
  /** Every line the service has logged so far. */
  logs: Record<string, unknown>[];
}

const { logger, lines: logs } = createTestLog();
export const testLogger = logger;

// All test apps are replicas of each other.
const env = readEnv({ SECRET_KEY: testSecret.toString("base64") });
export const { shop } = await loadShop(env, logger, 3000);
export const base = { env, logger, metrics: createMetrics(), readiness: { state: "ready" as const }, resources: [] };

export const context = createContext(base, shop);

/** The built-in shop, for tests that hold for each of its sites. */
export const { brand, countries, drawings, pictures, texts } = context;
export const { sites } = countries;

/** Returns the site of a code. */
export function siteOf(code: string): Site {
  const site = countries.get(code);
  if (!site) throw new Error(`there is no site ${code}`);
  return site;
}

/** Opens a store with the data that the service seeds by default. */
async function openDemoStore(): Promise<Store> {
  const opened = await openTestStore(testLogger);
  await seedDemo({ db: opened.db, sites, texts });
  return opened;
}

/** The jobs aren't started, so no email is sent. */
const noTransport = () => ({ send: async () => undefined, close: () => undefined });

/**
 * The real service with its embedded services. The apps of a test file share one store, and jobs aren't started.
 * @param changes - what to replace
 */
export async function createTestApp(changes: TestChanges = {}): Promise<TestApp> {
  const { promotions, upstreams = {}, ...replaced } = changes;
  const store = changes.store ?? (await openSharedStore(openDemoStore));
  logs.length = 0;
  // The sites are at the hosts of the demo, but its accounts aren't needed.
  const ownEnv: Env = { ...env, demo: false, ...replaced, upstreams };
  const ownContext: AppContext = {
    ...createContext({ ...base, metrics: createMetrics(), ...replaced, env: ownEnv }, { ...shop, ...replaced }),
    openMailTransport: noTransport,
    ...replaced,
    openStore: async () => store,
    openedStore: async () => store,
  };
  const service = await createApp(ownContext);
  // Some requests begin to poll a service.
  endWithStores(() => Promise.all(service.jobs.map((job) => job.close())));
  Object.assign(service.footer.promotions, promotions);
  const deps = { ...ownContext, ...ownEnv, promotions: service.footer.promotions, store };
  const { app, classify } = service;
  const listener: RequestListener = (request, response) => (classify(request).answer ?? app)(request, response);
  return { app, listener, context: ownContext, deps, service, logs };
}
