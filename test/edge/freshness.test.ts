import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { second } from "../../client/rules/time.ts";
import type { Edge } from "./run-edge.ts";
import { startNginx } from "./start-nginx.ts";
import { type Pages, pageOf, startPages } from "./start-pages.ts";
import { type EdgeService, startService } from "./start-service.ts";
import { startVarnish } from "./start-varnish.ts";

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
}, 30_000);

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
  const showing = async () => {
    const shown = addresses.flatMap((address) => [
      edges.nginx.get(pageOf("ssi", address)),
      edges.Varnish.get(pageOf("esi", address)),
    ]);
    const pages = await Promise.all((await Promise.all(shown)).map((answer) => answer.text()));
    return pages.filter((html) => html.includes(headline)).length;
  };
  expect(await showing()).toBe(0);
  const rendersBefore = await renders();

  await vi.waitUntil(
    async () => {
      const askedAt = Date.now();
      const count = await showing();
      if (Date.now() < start) expect(count).toBe(0);
      return askedAt >= start + second;
    },
    { timeout: 10 * second, interval: 50 },
  );
  expect(await showing()).toBe(2 * addresses.length);
  expect((await renders()) - rendersBefore).toBe(addresses.length);
  for (const address of addresses)
    expect(service.asked.filter(({ url, at }) => url === address && at >= start).length).toBe(
      Object.keys(edges).length,
    );
});
