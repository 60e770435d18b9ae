import type { Express } from "express";
import { type App, createApp } from "../../server/app.ts";
import { type Env, readEnv } from "../../server/config/env.ts";
import { createContext } from "../../server/context.ts";
import type { AppContext } from "../../server/features/feature.ts";
import type { Promotions } from "../../server/features/footer/promotions.ts";
import { createOriginalAddressOf } from "../../server/http/client-address.ts";
import { createLoadShedding } from "../../server/http/load-shedding.ts";
import { createSecurityHeaders } from "../../server/http/security-headers.ts";
import { createMetrics } from "../../server/platform/metrics.ts";
import { createSecurityEvents } from "../../server/platform/security-events.ts";
import type { Site } from "../../server/sites/countries.ts";
import { createSiteResolver } from "../../server/sites/resolve-site.ts";
import type { Store } from "../../server/store/open-store.ts";
import { openUpstreams } from "../../server/upstream/upstream.ts";
import { seedDemo } from "./seed-demo.ts";
import { createTestLog } from "./test-log.ts";
import { openSharedStore, openTestStore, testKeys } from "./test-store.ts";

/** What a test may replace: variables of the environment and parts of the context, flat. */
export type TestChanges = Partial<Omit<Env, "upstreams">> &
  Partial<Omit<AppContext, "env" | "upstreams" | "loadShedding">> & {
    upstreams?: Env["upstreams"];
    loadShedding?: AppContext["loadShedding"];
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
  context: AppContext;
  deps: TestDeps;
  service: App;
  /** Every line the service has logged so far. */
  logs: Record<string, unknown>[];
}

const { logger, lines: logs } = createTestLog();
export const testLogger = logger;

const env = readEnv({});
const loaded = await createContext({
  ...{ env, logger, metrics: createMetrics(), port: 3000 },
  readiness: { state: "ready" },
});

export const context: AppContext = { ...loaded, keys: testKeys };

/** The built-in shop, for tests that hold for each of its sites. */
export const { brand, countries, drawings, pictures, texts } = context;
export const { sites } = countries;

/** Returns the site of a code. */
export function siteOf(code: string): Site {
  const site = countries.get(code);
  if (!site) throw new Error(`there is no site ${code}`);
  return site;
}

/** A store with what the service seeds on its embedded defaults. */
async function openDemoStore(): Promise<Store> {
  const opened = await openTestStore(testLogger);
  await seedDemo({ db: opened.db, sites, texts });
  return opened;
}

/** The jobs aren't started, so that no mail is sent. */
const noTransport = () => ({ send: async () => undefined, close: () => undefined });

/**
 * The real service with its embedded services. The apps of a test file share one store, and jobs aren't started.
 * @param changes - what to replace
 */
export async function createTestApp(changes: TestChanges = {}): Promise<TestApp> {
  const { promotions, upstreams = {}, ...replaced } = changes;
  const store = changes.store ?? (await openSharedStore(openDemoStore));
  logs.length = 0;
  // The sites are at the hosts of the demo, whose sign-ins nobody needs.
  const ownEnv: Env = { ...env, demo: false, ...replaced, upstreams };
  const metrics = changes.metrics ?? createMetrics();
  const own = { ...context, openMailTransport: noTransport, metrics, ...replaced };
  const ownContext: AppContext = {
    ...own,
    env: ownEnv,
    originalAddressOf: createOriginalAddressOf(ownEnv.originalAddressFrom),
    securityHeaders: createSecurityHeaders({ ...own, hsts: ownEnv.hsts }),
    loadShedding: changes.loadShedding ?? createLoadShedding(own),
    siteOf: createSiteResolver(own.countries, ownEnv.defaultSite),
    upstreams: openUpstreams(upstreams, own.logger, metrics),
    openStore: async () => store,
    openedStore: async () => store,
    reportSecurityEvent: createSecurityEvents(own.keys, own.logger, metrics),
  };
  const service = await createApp(ownContext);
  Object.assign(service.footer.promotions, promotions);
  const deps = { ...ownContext, ...ownEnv, promotions: service.footer.promotions, store };
  return { app: service.app, context: ownContext, deps, service, logs };
}
