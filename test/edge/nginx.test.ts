import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type Shop, startShop } from "../browser/start-shop.ts";
import { type Nginx, startNginx } from "./start-nginx.ts";

const include = (address: string) =>
  `<!--# block name="none" --><p>instead</p><!--# endblock --><!--# include virtual="${address}" stub="none" -->`;
const page = (body: string) =>
  `<!DOCTYPE html><html lang="de"><title>Host</title><body><h1>Host</h1>${body}<p>end</p></body></html>`;

let shop: Shop;
let nginx: Nginx;

beforeAll(async () => {
  shop = await startShop();
  const footers = shop.sites.map(({ site }) => [`${site}.html`, page(include(`/fragments/footer/${site}`))]);
  nginx = await startNginx(inject("nginxPath"), shop.listener, {
    ...Object.fromEntries(footers),
    "index.html": page(""),
    "split.html": page(include("/fragments/head?site=DE") + include("/fragments/footer?site=DE&assets=none")),
    "bare.html": page('<!--# include virtual="/fragments/unknown/DE" -->'),
    "wrong.html": page(include("/fragments/footer?site=XX")),
    "unknown.html": page(include("/fragments/unknown?site=DE")),
  });
});

afterAll(async () => {
  await nginx?.stop();
  await shop?.close();
});

const fragment = async (path: string) => (await fetch(`${shop.listener}${path}`)).text();

describe("a page that nginx puts together", () => {
  it("holds the footer of every country, byte for byte", async () => {
    for (const { site } of shop.sites) {
      const html = await (await nginx.get(`/${site}.html`)).text();
      expect(html).toBe(page(await fragment(`/fragments/footer/${site}`)));
    }
  });

  it("is whole for browsers that take compressed answers, have a copy, or bring cookies", async () => {
    const whole = page(await fragment("/fragments/footer/DE"));
    const { headers } = await fetch(`${shop.listener}/fragments/footer/DE`);
    expect(await (await nginx.get("/DE.html", { "Accept-Encoding": "gzip, br" })).text()).toBe(whole);
    expect(await (await nginx.get("/DE.html", { "If-None-Match": headers.get("etag") ?? "" })).text()).toBe(whole);
    const reduced = await (await nginx.get("/DE.html", { Cookie: "affiliateNumber=1" })).text();
    expect(reduced).toBe(page(await fragment("/fragments/footer?site=DE&reduced=true")));
  });

  it("may load the files in its head", async () => {
    const html = await (await nginx.get("/split.html")).text();
    const head = html.slice(0, html.indexOf("</head>"));
    for (const style of ["footer", "newsletter"])
      expect(head.match(new RegExp(`/${style}-\\w+\\.css`, "g"))).toHaveLength(1);
    expect(html.slice(head.length)).not.toContain('rel="stylesheet"');
    expect(html).toContain('data-section="legal"');
  });

  it.each(["/wrong.html", "/unknown.html"])(
    "shows its own words, never an error, where a fragment isn't to be had: %s",
    async (path) => {
      expect(await (await nginx.get(path)).text()).toBe(page("<p>instead</p>"));
    },
  );
});

describe("an edge as docs/include.md has it", () => {
  it("shows nothing where a fragment isn't to be had and the page has no words of its own", async () => {
    expect(await (await nginx.get("/bare.html")).text()).toBe(page(""));
  });

  it("leads browsers to the files, calls and pages of the service", async () => {
    const [style = ""] = /\/assets\/footer-\w+\.css/.exec(await fragment("/fragments/footer/DE")) ?? [];
    const paths = [style, "/service/footer-images/logos/dhl.svg", "/service/abtestfrontend/api/v1/getassignment"];
    for (const path of [
      ...paths,
      "/login?redirect=/bag",
      "/m/login",
      "/subscribenewsletter",
      "/newsletter/confirmed",
    ]) {
      expect((await nginx.get(path)).status, path).toBe(200);
    }
    expect((await nginx.get("/view")).headers.get("X-Request-Id")).not.toBeNull();
    const manifest = await nginx.get("/fragments/footer/DE/manifest.json");
    expect(await manifest.json()).toMatchObject({ name: "footer" });
  });

  it("leaves all other addresses to the shop's pages, also below those of the service", async () => {
    for (const path of [
      "/service/privacy",
      "/service/newsletter",
      "/service/newsletter/example",
      "/logins",
      "/views",
    ]) {
      const response = await nginx.get(path);
      expect([response.status, response.headers.get("X-Request-Id")], path).toEqual([404, null]);
    }
  });
});

describe("nginx's cache", () => {
  const ask = async (path: string) => {
    const response = await nginx.get(path);
    await response.text();
    return response.headers.get("X-Edge-Cache");
  };

  it("keeps a public fragment, though nothing else tells it to", async () => {
    expect(await ask("/cached/footer?site=AT")).toBe("MISS");
    expect(await ask("/cached/footer?site=AT")).toBe("HIT");
  });

  it("keeps no error", async () => {
    expect(await ask("/cached/footer?site=XX")).toBe("MISS");
    expect(await ask("/cached/footer?site=XX")).toBe("MISS");
  });
});
