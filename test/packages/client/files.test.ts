import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { second } from "../../../client/rules/time.ts";
import { storefrontRoutes } from "../../../packages/client/express.ts";
import { createFragments } from "../../../packages/client/index.ts";
import type { FragmentData } from "../../../schemas/types.ts";
import { hashForBrowsers } from "../../../server/platform/assets.ts";
import { type EdgeService, startService } from "../../edge/start-service.ts";

let service: EdgeService;
let data: FragmentData;
/** What the footer loads before anybody touches it, by path. */
let files: Map<string, Buffer>;

beforeAll(async () => {
  service = await startService();
  data = await (await service.get("/fragments/footer/DE.json")).json();
  const { styles, scripts, html } = data;
  const pictures = [...html.matchAll(/(?<=="|srcset=")\/service\/(?:footer-images|newsletterfrontend)\/[^"]+/gi)];
  const paths = [
    ...styles.map(({ href }) => href),
    ...scripts.map(({ src }) => src),
    ...pictures.map(([path]) => path),
  ];
  const load = async (path: string) => Buffer.from(await (await service.get(path)).arrayBuffer());
  const [style = ""] = paths;
  const [sprite = ""] = /(?<=url\(\.\/)icons-[\w.-]+/.exec(String(await load(style))) ?? [];
  const all = [...paths, `/assets/${sprite}`];
  files = new Map(await Promise.all(all.map(async (path) => [path, await load(path)] as const)));
});
afterAll(() => service?.close());
afterEach(() => service.fail(undefined));

/** Creates a page's client, with the list of the paths that it has asked the service for. */
function create() {
  const before = service.asked.length;
  const fragments = createFragments({ service: service.origin, onOutage: () => undefined });
  return { fragments, asked: () => service.asked.slice(before).map(({ url }) => url) };
}

/** Starts a host whose pages are all the same, and returns its origin. */
async function startHost(fragments: ReturnType<typeof createFragments>) {
  const answer = storefrontRoutes(fragments);
  const server = createServer((request, response) => answer(request, response, () => response.end("a page")));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it("has every file of a footer that was fetched, while the service is down", async () => {
  expect(files.size).toBeGreaterThan(10);
  const { fragments, asked } = create();
  const origin = await startHost(fragments);
  await fragments.get("footer", "DE");
  const loaded = () => asked().filter((url) => files.has(url));
  await vi.waitFor(() => expect(loaded().sort()).toEqual([...files.keys()].sort()), 10 * second);
  // They may be under way.
  for (const path of files.keys()) await (await fetch(origin + path)).arrayBuffer();
  expect(loaded()).toHaveLength(files.size);
  await service.fail("takes no connections");
  for (const [path, content] of files) {
    const answer = await fetch(origin + path);
    expect(answer.headers.get("Cache-Control"), path).toContain("immutable");
    expect(Buffer.from(await answer.arrayBuffer()), path).toEqual(content);
  }
  for (const { href, integrity } of data.styles)
    expect(hashForBrowsers(Buffer.from(await (await fetch(origin + href)).arrayBuffer()))).toBe(integrity);
});

it("asks the service for nothing until it is to keep files, and then once for each", async () => {
  const { fragments, asked } = create();
  await fragments.get("footer", "DE");
  expect(asked()).toHaveLength(1);
  const read = fragments.keepFiles();
  const [path = ""] = files.keys();
  const all = await Promise.all(Array.from({ length: 20 }, () => read(path)));
  for (const file of all) expect(file?.body).toHaveLength(files.get(path)?.length ?? 0);
  expect(asked().filter((url) => url === path)).toHaveLength(1);
});

it("compresses what gets smaller, for browsers that accept it", async () => {
  const read = create().fragments.keepFiles();
  for (const [path, content] of files) {
    const plain = await read(path);
    expect(plain?.headers).toMatchObject({ "content-length": String(content.length) });
    expect(plain?.headers).not.toHaveProperty("content-encoding");
    const zipped = await read(path, "gzip, deflate, br");
    if (zipped?.headers["content-encoding"] !== "gzip") expect(zipped).toEqual(plain);
    else expect(gunzipSync(zipped.body)).toEqual(content);
  }
  const [style = ""] = files.keys();
  expect((await read(style, "gzip"))?.headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding" });
});

it("keeps no file that may change, and leaves everything else to the host", async () => {
  const { fragments, asked } = create();
  const origin = await startHost(fragments);
  const changing = "/assets/inventory.json";
  for (let time = 0; time < 2; time++)
    expect((await fetch(origin + changing)).headers.get("Content-Type")).toMatch(/json/);
  expect(asked().filter((url) => url === changing)).toHaveLength(2);
  for (const path of ["/assets/none.css", "/", "/login", "/service/footer-images", "//evil.example/assets/x"])
    expect(await (await fetch(origin + path)).text()).toBe("a page");
  expect(asked()).not.toContain("/login");
  const [style = ""] = files.keys();
  expect(await (await fetch(origin + style, { method: "POST" })).text()).toBe("a page");
  const head = await fetch(origin + style, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  await service.fail("takes no connections");
  expect(await (await fetch(`${origin}/assets/never-loaded.css`)).text()).toBe("a page");
});
