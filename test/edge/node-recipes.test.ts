import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { second } from "../../client/rules/time.ts";
import { servicePaths } from "../../server/http/error-handler.ts";
import { importRecipe } from "./start-composers.ts";
import { type Pages, page, pageOf, startPages } from "./start-pages.ts";
import { briefly, type EdgeService, startService } from "./start-service.ts";

const { fetchFragment, purge } = await importRecipe("fetch-fragment.mjs");
const { default: worker } = await importRecipe("cloudflare-worker.mjs");

let service: EdgeService;
let pages: Pages;
let footer: string;

beforeAll(async () => {
  service = await startService();
  pages = await startPages();
  footer = await (await service.get("/fragments/footer/DE")).text();
});

afterAll(async () => {
  await service?.close();
  await pages?.close();
});

describe("fetchFragment", () => {
  let count = 0;
  const newFooter = (site = "DE", more = "") => `/fragments/footer/${site}?fetched=${++count}${more}`;
  const timesAsked = (address: string) => service.asked.filter(({ url }) => url === address).length;
  const show = (address: string) => fetchFragment(service.origin + address);

  it("asks once for all who want the same", async () => {
    const address = newFooter();
    const all = await Promise.all(Array.from({ length: 20 }, () => show(address)));
    expect(new Set([...all, await show(address)])).toEqual(new Set([footer]));
    expect(timesAsked(address)).toBe(1);
  });

  it("serves a stale copy while it fetches a new one, and keeps it when that fails", async () => {
    const address = newFooter("DE", `&${briefly(60)}`);
    await show(address);
    const keptAt = Date.now();
    await vi.waitUntil(() => Date.now() > keptAt + 1.1 * second, { timeout: 5 * second });
    await service.fail("hangs");
    for (let asked = 0; asked < 3; asked++) expect(await show(address)).toBe(footer);
    await service.fail(undefined);
    await vi.waitUntil(async () => (await show(address)) === footer && timesAsked(address) > 1, 5 * second);
  });

  it("purges one country by its key, and no other", async () => {
    const addresses = [newFooter("DE"), newFooter("AT")];
    for (const address of addresses) await show(address);
    purge("country-DE");
    for (const address of addresses) await show(address);
    expect(addresses.map(timesAsked)).toEqual([2, 1]);
  });
});

describe("the Worker", () => {
  const shop = "https://shop.example";
  const get = (path: string, headers: Record<string, string> = {}) =>
    worker.fetch(new Request(shop + path, { headers }), { FRAGMENTS: service.origin, PAGES: pages.origin });

  it("leads browsers to the calls and pages of the service, as visitors of the shop", async () => {
    const folders = servicePaths.map((folder) => `/service/${folder}/x`);
    for (const path of [...folders, "/login?redirect=/bag", "/m/login", "/newsletter", "/newsletter/confirm?token=x"]) {
      await get(path, { "X-Original-Address": "1.2.3.4", "CF-Connecting-IP": "192.0.2.1", Cookie: "login=x" });
      const { url, headers } = service.asked.at(-1) ?? {};
      expect(url).toBe(path);
      expect(headers).toMatchObject({
        cookie: "login=x",
        "x-forwarded-for": "192.0.2.1",
        "x-forwarded-proto": "https",
        "x-forwarded-host": "shop.example",
      });
      expect(headers).not.toHaveProperty("x-original-address");
    }
  });

  it("passes all other addresses on to the shop's pages, also below those of the service", async () => {
    for (const path of ["/", "/logins", "/newsletters", "/service/privacy", "/service/newsletter/example"])
      expect(await (await get(path)).text()).toBe(`the shop's ${path}`);
  });

  it("forwards a form, and the redirect that answers it", async () => {
    const request = new Request(`${shop}/view`, { method: "POST", body: new URLSearchParams({ view: "mobile" }) });
    const answer = await worker.fetch(request, { FRAGMENTS: service.origin, PAGES: pages.origin });
    expect([answer.status, answer.headers.get("set-cookie")]).toEqual([303, expect.stringContaining("platform=")]);
  });

  it("serves a whole page without the page's validator, and fragments by their own addresses", async () => {
    const answer = await get(pageOf("esi", "/fragments/footer/DE?a=b&c=d"), { "Accept-Encoding": "gzip" });
    expect(await answer.text()).toBe(page(footer));
    expect(answer.headers.get("etag")).toBeNull();
    expect(await (await get("/fragments/footer/DE")).text()).toBe(footer);
    expect((await get("/fragments/footer/XX")).status).toBe(400);
  });
});
