import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished, vi } from "vitest";
import { minute, second } from "../../client/rules/time.ts";
import { createVarnish } from "../../server/features/edge-purges/forms/varnish.ts";
import { openPurges } from "../../server/features/edge-purges/queue/purges.ts";
import { servicePaths } from "../../server/http/edge-routes.ts";
import { runEdge } from "./run-edge.ts";
import { type Composers, importWorker, placeOf, startComposers, withoutTags } from "./start-composers.ts";
import { ownPreload, type PageKind, page, pageOf } from "./start-pages.ts";
import { addedTag, briefly, type EdgeService, startService, taggedBy } from "./start-service.ts";

const worker = await importWorker();

let service: EdgeService;
let composers: Composers;
let footer: string;

beforeAll(async () => {
  service = await startService();
  footer = await (await service.get("/fragments/footer/DE")).text();
  composers = await startComposers(service, []);
});

afterAll(async () => {
  await composers?.stop();
  await service?.close();
});

/** A header of each form of `EDGE_TAG_HEADERS`. */
const tagHeaders = ["Surrogate-Key", "Cache-Tag", "Edge-Cache-Tag", "X-Amz-Meta-Cache-Tag"];

let count = 0;
/** Returns an address of a footer of which no edge has a copy. */
const newFooter = (site = "DE", more = "") => `/fragments/footer/${site}?new=${++count}${more}`;
const timesAsked = (address: string) =>
  service.asked.filter(({ url }) => sortParameters(url.replace(".json", "")) === sortParameters(address)).length;

/** Writes the parameters of an address in the order in which the client asks for them. */
function sortParameters(address: string): string {
  const [path, query] = address.split("?");
  const parameters = new URLSearchParams(query);
  parameters.sort();
  return `${path}?${parameters}`;
}

describe.each<{ edge: "nginx" | "varnish"; kind: PageKind }>([
  { edge: "nginx", kind: "ssi" },
  { edge: "varnish", kind: "esi" },
])("$edge", ({ edge, kind }) => {
  const get = (path: string, headers?: Record<string, string>) => composers[edge].get(path, headers);
  const open = (address: string, headers?: Record<string, string>) => get(pageOf(kind, address), headers);
  const place = async (address: string, headers?: Record<string, string>) =>
    placeOf(await (await open(address, headers)).text());

  it("puts the footer of every country into its pages, byte for byte", async () => {
    for (const { site } of service.deps.countries.sites) {
      const own = await (await service.get(`/fragments/footer/${site}`)).text();
      const answer = await open(newFooter(site));
      expect(answer.headers.get("link")).toBe(ownPreload);
      expect(await answer.text()).toBe(page(own));
    }
  });

  it("sends a complete page to all clients, compressed for those that accept that", async () => {
    const address = newFooter();
    for (const encoding of ["gzip", "identity", "gzip, br, zstd", "gzip"]) {
      const answer = await open(address, { "Accept-Encoding": encoding });
      expect(answer.headers.get("Content-Encoding")).toBe(encoding === "identity" ? null : "gzip");
      expect(await answer.text()).toBe(page(footer));
    }
  });

  it("answers conditional requests with a whole page, or with 304 for an unchanged fragment", async () => {
    const { headers } = await service.get("/fragments/footer/DE");
    for (const etag of ['"host"', headers.get("etag") ?? ""])
      expect(await (await open(newFooter(), { "If-None-Match": etag })).text()).toBe(page(footer));
    const address = newFooter();
    const first = await get(address);
    expect(await first.text()).toBe(footer);
    expect(first.headers.get("link")).toBe(headers.get("link"));
    expect(first.headers.has("podlet-version")).toBe(false);
    const again = await get(address, { "If-None-Match": first.headers.get("etag") ?? "" });
    expect(again.status).toBe(304);
  });

  it("caches no error", async () => {
    const address = newFooter("DE", "&platform=NONE");
    for (let asked = 0; asked < 2; asked++) expect(await place(address)).toBe("");
    expect(timesAsked(address)).toBe(2);
  });

  it("waits for a new copy once the stale one has expired, and serves the old one if none comes", async () => {
    const address = newFooter("DE", `&${briefly(0)}`);
    const copy = async () => (await get(address)).headers.get("X-Request-Id");
    const expire = async () => {
      const keptAt = Date.now();
      await vi.waitUntil(() => Date.now() > keptAt + 2.1 * second, { timeout: 5 * second });
    };
    const first = await copy();
    await expire();
    const next = await copy();
    expect(next).not.toBe(first);
    await expire();
    await service.fail("answers 500 with a page");
    for (let round = 0; round < 3; round++)
      expect(new Set(await Promise.all(Array.from({ length: 20 }, copy)))).toEqual(new Set([next]));
    await service.fail(undefined);
  });

  it.each<Record<string, string>>([
    { Cookie: "affiliateNumber=1" },
    { Cookie: "xc-app=new; login=secret; LoginToken=x" },
    { Cookie: "preview=true; StaffAuthToken=x; CobraAuthToken=x" },
    { "X-Forwarded-Host": "tr.localhost" },
    { "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "javascript", "X-Forwarded-For": "1.2.3.4" },
    { Forwarded: "host=tr.localhost", "X-Original-Address": "1.2.3.4", "X-Original-URL": "/fragments/footer/TR" },
    { Authorization: "Bearer x" },
    { "X-Site": "TR" },
    { Range: "bytes=0-10" },
    { "Accept-Encoding": "br" },
    { Accept: "application/json", "Accept-Language": "tr-TR" },
    { "Cache-Control": "no-cache", Pragma: "no-cache" },
    { "X-HTTP-Method-Override": "POST" },
  ])("serves everybody the same footer whatever one visitor sends: %o", async (headers) => {
    const [address, direct] = [newFooter(), newFooter()];
    expect(await place(address, headers)).toBe(footer);
    await (await get(direct, headers)).arrayBuffer();
    expect(await place(address)).toBe(footer);
    expect(await (await get(direct)).text()).toBe(footer);
    expect([timesAsked(address), timesAsked(direct)]).toEqual([1, 1]);
  });

  it("asks for a fragment by its address alone, whatever host the shop has", async () => {
    const address = newFooter();
    for (const host of ["tr.localhost", "evil.example:1", "de.localhost"]) {
      const { origin } = composers[edge];
      const answer = await request(origin + pageOf(kind, address), { headers: { host } });
      expect(placeOf(await answer.body.text())).toBe(footer);
      const withoutSite = await request(`${origin}/fragments/footer?${host}`, { headers: { host } });
      expect(await withoutSite.body.text()).toBe("");
    }
    expect(timesAsked(address)).toBe(1);
  });

  it("takes an include of 255 characters", async () => {
    const address = newFooter("DE", "&long=");
    expect(await place(address.padEnd(255, "x"))).toBe(footer);
  });
});

describe.each(["nginx", "varnish", "client"] as const)("the cache of %s", (cache) => {
  const composer = cache === "varnish" ? "Varnish" : cache;
  const show = async (address: string) =>
    withoutTags(placeOf(await (await composers.compose(composer, address)).text()));

  it("asks the service once, however many want the same", async () => {
    const address = newFooter();
    const pagesBefore = composers.pages.asked();
    const letGo = service.hold();
    onTestFinished(letGo);
    const places = Array.from({ length: 20 }, () => show(address));
    const isWaiting = () => cache === "client" || composers.pages.asked() === pagesBefore + places.length;
    await vi.waitUntil(() => isWaiting() && timesAsked(address) > 0);
    letGo();
    expect(new Set(await Promise.all(places))).toEqual(new Set([withoutTags(footer)]));
    for (let asked = 0; asked < 3; asked++) expect(await show(address)).toBe(withoutTags(footer));
    expect(timesAsked(address)).toBe(1);
  });

  it("serves a stale copy while it fetches a new one, and keeps it when that fails", async () => {
    const address = newFooter("DE", `&${briefly(60)}`);
    expect(await show(address)).toBe(withoutTags(footer));
    const keptAt = Date.now();
    await vi.waitUntil(() => Date.now() > keptAt + 2.1 * second, { timeout: 5 * second });
    await service.fail("answers 500 with a page");
    for (let asked = 0; asked < 5; asked++) expect(await show(address)).toBe(withoutTags(footer));
    await service.fail("hangs");
    const askedAt = performance.now();
    expect(await show(address)).toBe(withoutTags(footer));
    expect(performance.now() - askedAt).toBeLessThan(0.8 * second);
    await service.fail(undefined);
    await vi.waitUntil(
      async () => (await show(address)) === withoutTags(footer) && timesAsked(address) > 1,
      5 * second,
    );
  });

  it.each(tagHeaders)("purges one country by its tag in %s, and no other", async (header) => {
    const addresses = [newFooter("DE", `&${taggedBy(header)}`), newFooter("AT", `&${taggedBy(header)}`)];
    for (const address of addresses) await show(address);
    await purge[cache]("country-DE");
    for (const address of addresses) await show(address);
    expect(addresses.map(timesAsked)).toEqual([2, 1]);
  });
});

describe.each(["nginx", "varnish", "Cloudflare Worker"] as const)("the routes of %s", (edge) => {
  const env = () => ({ FRAGMENTS: service.origin, PAGES: composers.pages.origin });
  const origin = () => (edge === "Cloudflare Worker" ? "https://de.localhost" : composers[edge].origin);
  const fetchFrom = (request: Request) =>
    edge === "Cloudflare Worker" ? worker.fetch(request, env()) : fetch(request, { redirect: "manual" });
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetchFrom(new Request(origin() + path, { headers }));

  it("lead browsers to the files of the service, which are the same for everybody", async () => {
    for (const folder of ["assets", "service/footer-images", "service/newsletterfrontend"]) {
      const [file = ""] = new RegExp(`(?<==")/${folder}/[^"]+`).exec(footer) ?? [];
      const answer = await get(file, {
        "X-Forwarded-Host": "evil.example",
        Cookie: "login=x",
        Authorization: "Bearer x",
      });
      expect([answer.status, answer.headers.get("Cache-Control")]).toEqual([200, expect.stringContaining("immutable")]);
      await answer.arrayBuffer();
      const { headers } = service.asked.findLast(({ url }) => url === file) ?? {};
      for (const name of ["cookie", "authorization", "x-forwarded-host"]) expect(headers).not.toHaveProperty(name);
    }
  });

  it("lead browsers to the calls and pages of the service, as visitors of the shop", async () => {
    const folders = servicePaths
      .filter((path) => !/^(footer-images|newsletterfrontend)/.test(path))
      .map((folder) => `/service/${folder}/x`);
    const pages = [
      "/login?redirect=/bag",
      "/m/login",
      "/logout",
      "/view",
      "/countries",
      "/preview",
      "/subscribenewsletter",
      "/.well-known/security.txt",
      "/.well-known/change-password",
    ];
    const address = edge === "Cloudflare Worker" ? "192.0.2.1" : "127.0.0.1";
    const { host, protocol } = new URL(origin());
    for (const path of [...folders, ...pages, "/newsletter", "/newsletter?x", "/newsletter/confirm?token=x"]) {
      const answer = await get(path, {
        "X-Original-Address": "1.2.3.4",
        "X-Forwarded-For": "1.2.3.4",
        "CF-Connecting-IP": "192.0.2.1",
        Cookie: "login=x",
      });
      await answer.arrayBuffer();
      expect(answer.headers.get("X-Request-Id") ?? answer.headers.get("X-Content-Type-Options"), path).not.toBeNull();
      const { url, headers } = service.asked.at(-1) ?? {};
      expect(url).toBe(path);
      expect(headers).toMatchObject({
        "x-forwarded-for": address,
        "x-forwarded-proto": protocol.slice(0, -1),
        "x-forwarded-host": host,
      });
      if (path.startsWith("/service/customer")) expect(headers?.cookie).toBe("login=x");
      expect(headers).not.toHaveProperty("x-original-address");
    }
  });

  it("leave all other addresses to the shop's pages, also below those of the service", async () => {
    const below = ["privacy", "storefinder/", "newsletter", "newsletter/example", "cookies", "loginx/"];
    const others = [
      "/",
      "/logins",
      "/views",
      "/countries/de",
      "/newsletters",
      "/fragment",
      "/.well-known/assetlinks.json",
      "/.well-known/security.txt/x",
      ...below.map((name) => `/service/${name}`),
    ];
    for (const path of others) expect(await (await get(path)).text()).toBe(`the shop's ${path}`);
  });

  it("forward a form, and the redirect that answers it", async () => {
    const form = { method: "POST", body: new URLSearchParams({ view: "mobile" }) };
    const answer = await fetchFrom(new Request(`${origin()}/view`, form));
    expect([answer.status, answer.headers.get("set-cookie")]).toEqual([303, expect.stringContaining("platform=")]);
  });
});

it("the Worker serves a whole page without the page's validator, and fragments by their own addresses", async () => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    worker.fetch(new Request(`https://shop.example${path}`, { headers }), {
      FRAGMENTS: service.origin,
      PAGES: composers.pages.origin,
    });
  const answer = await get(pageOf("esi", "/fragments/footer/DE?a=b&c=d"), { "Accept-Encoding": "gzip" });
  expect(withoutTags(await answer.text())).toBe(page(withoutTags(footer)));
  expect(answer.headers.get("etag")).toBeNull();
  expect(await (await get("/fragments/footer/DE")).text()).toBe(footer);
  expect((await get("/fragments/footer/XX")).status).toBe(400);
});

describe("nginx", () => {
  const place = async (kind: PageKind, address: string) =>
    placeOf(await (await composers.nginx.get(pageOf(kind, address))).text());

  it("shows the page's own fallback where a fragment fails", async () => {
    expect(await place("stub", "/fragments/footer?site=XX")).toBe("<p>instead</p>");
    expect(await place("stub", "/fragments/unknown/DE")).toBe("<p>instead</p>");
    expect(await place("stub", newFooter())).toBe(footer);
  });
});

it.each(["X-Forwarded-For", "Forwarded", "Via"])("Varnish refuses a purge that a proxy passes on: %s", async (name) => {
  const headers = { "Surrogate-Key": "country-XX", [name]: name === "Via" ? "1.1 proxy" : "for=127.0.0.1" };
  expect((await fetch(composers.varnish.origin, { method: "PURGE", headers })).status).toBe(403);
});

it.each(tagHeaders)("Varnish purges by a tag with colons and dots in %s, and by no other", async (header) => {
  const address = newFooter("DE", `&${taggedBy(header)}`);
  const show = async () => (await composers.varnish.get(address)).text();
  await show();
  for (const other of [addedTag.slice(0, -1), addedTag.slice(1), "variantxspringxsalexB"]) await purge.varnish(other);
  await show();
  expect(timesAsked(address)).toBe(1);
  await purge.varnish(addedTag);
  await show();
  expect(timesAsked(address)).toBe(2);
});

it("Varnish hands out no header of its own with the tags", async () => {
  expect((await composers.varnish.get(newFooter())).headers.has("X-Storefront-Tags")).toBe(false);
});

it("Varnish purges by valid keys alone", async () => {
  const status = async (headers: Record<string, string>) =>
    (await fetch(composers.varnish.origin, { method: "PURGE", headers })).status;
  expect(await status({})).toBe(400);
  expect(await status({ "Surrogate-Key": '.* || obj.http.x ~ "' })).toBe(400);
  expect(await status({ "Surrogate-Key": "country-XX fragment-none variant:a.b:c" })).toBe(204);
});

it("takes Varnish's own page for an answer, which is what a VCL of the shop may send", async () => {
  const varnish = await runEdge(async (port, folder) => {
    const vcl = 'vcl 4.1; backend default none; sub vcl_recv { return (synth(200, "Purged")); }';
    await writeFile(`${folder}/own.vcl`, vcl);
    const place = ["-a", `127.0.0.1:${port}`, "-n", `${folder}/work`, "-s", "malloc,8m"];
    return { command: [inject("varnishPath"), "-j", "none", "-F", "-f", `${folder}/own.vcl`, ...place] };
  });
  onTestFinished(() => varnish.stop());
  const form = createVarnish(varnish.origin);
  onTestFinished(() => form.close());
  expect(await form.send([{ tag: "country-DE", at: 0 }])).toBeUndefined();
});

/**
 * Purges by a key: in nginx as its recipe describes, in Varnish as the service does it, in the client by its own
 * function.
 */
const purge = {
  client: async (key: string) => composers.client.purge(key),
  async nginx(key: string) {
    const [, command = ""] = /^ *# {3}(grep .*)$/m.exec(readFileSync("deploy/edge/nginx.conf", "utf8")) ?? [];
    const here = command.replace("country-DE", key).replace("/var/cache/nginx", `${composers.nginx.folder}/cache`);
    execFileSync("sh", ["-c", here]);
  },
  async varnish(key: string) {
    let now = 0;
    const { db } = service.deps.store;
    const { purge: add, worker } = openPurges(db, createVarnish(composers.varnish.origin), service.deps, () => now);
    await add(key);
    // The purge is due by then.
    now = minute;
    worker.start();
    await worker.idle();
    await worker.close();
  },
};
