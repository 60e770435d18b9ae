import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { second } from "../../client/rules/time.ts";
import type { Edge } from "./run-edge.ts";
import { startNginx, startVarnish } from "./start-edges.ts";
import { type Pages, pageOf, startPages } from "./start-pages.ts";
import { type EdgeService, startService } from "./start-service.ts";

const headline = "Known to start now";

let service: EdgeService;
let pages: Pages;
let edges: Record<"nginx" | "Varnish", Edge>;

beforeAll(async () => {
  service = await startService();
  pages = await startPages();
  const [nginx, varnish] = await Promise.all([
    startNginx(service.origin, pages.origin),
    startVarnish(service.origin, pages.origin),
  ]);
  edges = { nginx, Varnish: varnish };
}, 60_000);

afterAll(async () => {
  await Promise.all(Object.values(edges ?? {}).map((edge) => edge.stop()));
  await service?.deps.promotions.close();
  await service?.close();
  await pages?.close();
});

it("a promotion that starts at a known second is in every footer a second later, for one render per variant", async () => {
  const start = Math.ceil(Date.now() / second + 4) * second;
  const { promotions, store, metrics, countries } = service.deps;
  const promotion = { key: "SHOP_FOOTER", headline, text: "Text", linkUrl: "/category/coffee", linkText: "Coffee" };
  const valid = { validFrom: start, validTo: null, test: null, testGroup: null };
  const rows = countries.sites.map(({ site }) => ({ id: `known-${site}`, site, ...promotion, ...valid }));
  await store.db.insertInto("promotion").values(rows).execute();
  await promotions.start();
  const renders = async () =>
    (await metrics.renders.get()).values.find(({ metricName }) => metricName?.endsWith("_count"))?.value ?? 0;

  const addresses = countries.sites.flatMap(({ site }) =>
    ["", "?reduced=true"].map((query) => `/fragments/footer/${site}${query}`),
  );
  /** Tells of every page what it shows; one whose fragment has come too late shows none. */
  const show = async () => {
    const asked = addresses.flatMap((address) => [
      edges.nginx.get(pageOf("ssi", address)),
      edges.Varnish.get(pageOf("esi", address)),
    ]);
    const pages = await Promise.all((await Promise.all(asked)).map((answer) => answer.text()));
    return pages.map((html) => (html.includes(headline) ? "new" : html.includes("<footer") ? "old" : "none"));
  };
  const showEach = (what: "old" | "new") =>
    vi.waitFor(async () => expect(new Set(await show())).toEqual(new Set([what])), 5 * second);

  await showEach("old");
  const rendersBefore = await renders();
  await vi.waitUntil(
    async () => {
      const askedAt = Date.now();
      const shown = await show();
      if (Date.now() < start) expect(shown).not.toContain("new");
      if (askedAt >= start + second) expect(shown).not.toContain("old");
      return askedAt >= start + second;
    },
    { timeout: 10 * second, interval: 50 },
  );
  await showEach("new");
  expect((await renders()) - rendersBefore).toBe(addresses.length);
});
