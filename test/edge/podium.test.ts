import PodiumClient from "@podium/client";
import { HttpIncoming } from "@podium/utils";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Shop, startShop } from "../browser/start-shop.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop?.close());

it("gives Podium's client every country's footer with assets that can be loaded", async () => {
  const client = new PodiumClient({ name: "layout" });
  for (const { site } of shop.sites) {
    const uri = `${shop.listener}/fragments/footer/${site}/manifest.json`;
    const footer = client.register({ name: `footer${site.replace("_", "")}`, uri, throwable: true });
    const { content, css, js } = await footer.fetch(new HttpIncoming({ headers: {}, url: "/" }, {}));
    expect(String(content)).toBe(await (await fetch(`${shop.listener}/fragments/footer/${site}`)).text());
    expect([css.length, js.length]).toEqual([1, 1]);
    for (const { value } of [...css, ...js]) {
      const { pathname, origin } = new URL(value);
      expect(origin).toBe(shop.sites.find((known) => known.site === site)?.origin);
      expect((await fetch(`${shop.listener}${pathname}`)).status).toBe(200);
    }
  }
});
