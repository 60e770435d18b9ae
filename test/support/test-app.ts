import { Writable } from "node:stream";
import type { Express } from "express";
import { createApp, type Deps } from "../../server/app.ts";
import { loadAssets } from "../../server/assets.ts";
import { loadLogos } from "../../server/footer/logos.ts";
import { loadTexts } from "../../server/i18n.ts";
import { createLogger } from "../../server/logger.ts";
import { createMetrics } from "../../server/metrics.ts";
import { assetsFolder } from "../../server/root.ts";
import { seedDemo } from "../../server/shop/seed-demo.ts";
import type { Store } from "../../server/shop/store/open-store.ts";
import { loadCountries } from "../../server/sites/countries.ts";
import { openTestStore } from "./test-store.ts";

export interface TestApp {
  app: Express;
  deps: Deps;
  /** Every line the service has logged so far. */
  logs: Record<string, unknown>[];
}

const logs: Record<string, unknown>[] = [];
const sink = new Writable({
  write(line, _encoding, done) {
    logs.push(JSON.parse(String(line)));
    done();
  },
});
export const testLogger = createLogger("info", sink);
export const texts = await loadTexts("locales", testLogger);
let store: Promise<Store> | undefined;

/** Every site of the registry, for tests that hold for each. */
export const countries = await loadCountries({ folder: "countries", texts, localPort: 3000 });
export const sites = countries.sites;

/** A store with what the service seeds on its embedded defaults. */
async function openDemoStore(): Promise<Store> {
  const opened = await openTestStore(testLogger);
  await seedDemo({ db: opened.db, sites, texts });
  return opened;
}

/**
 * The real app with its real parts, on the embedded defaults. The apps of a test file share one store.
 * @param changes - parts to replace
 */
export async function createTestApp(changes: Partial<Deps> = {}): Promise<TestApp> {
  store ??= openDemoStore();
  logs.length = 0;
  const deps: Deps = {
    assets: await loadAssets(assetsFolder),
    assetsFolder,
    countries,
    defaultSite: "DE",
    logger: testLogger,
    logos: loadLogos("client/footer/logos", testLogger),
    mail: { wake: () => undefined },
    metrics: createMetrics(),
    promotions: { current: () => undefined },
    readiness: { state: "ready" },
    renderCache: true,
    store: await store,
    texts,
    trustProxy: [],
    upstreams: {
      abtest: undefined,
      promotion: undefined,
      newsletter: undefined,
      customer: undefined,
      login: undefined,
      preview: undefined,
    },
    ...changes,
  };
  return { app: await createApp(deps), deps, logs };
}
