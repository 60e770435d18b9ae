import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import PodiumClient from "@podium/client";
import { HttpIncoming } from "@podium/utils";
import type { Browser } from "playwright";
import { afterAll, beforeAll, expect, inject, it, vi } from "vitest";
import { second } from "../../client/rules/time.ts";
import { createAssets, readBuild } from "../../server/platform/assets.ts";
import { assetsFolder } from "../../server/platform/paths.ts";
import { closeInTime, launchBrowser } from "../browser/launch-browser.ts";
import { nextBuild } from "../support/next-build.ts";
import { createTestApp } from "../support/test-app.ts";
import { addFragmentTests, type FragmentExceptions } from "./fragment-tests.ts";
import {
  type ComposerName,
  type Composers,
  composerNames,
  placeOf,
  startComposers,
  withoutTags,
} from "./start-composers.ts";
import { briefly, type EdgeService, type FragmentFault, startService } from "./start-service.ts";

const document = "docs/include.md";
const address = "/fragments/footer/DE";

/** The possible faults, as the documents name them. The last one lasts longest: Varnish must see it end. */
const rows: { name: string; fault?: FragmentFault; query?: string }[] = [
  { name: "nothing" },
  { name: "a wrong parameter", query: "platform=NONE" },
  { name: "an answer of 500, with an error page", fault: "answers 500 with a page" },
  { name: "no answer within the second", fault: "hangs" },
  { name: "an answer that stops half way", fault: "stalls" },
  { name: "an answer that is cut off", fault: "cuts the body" },
  { name: "the service is down", fault: "takes no connections" },
];
/** An address whose copy has expired, and one without a copy. */
const oldAddress = (row: number) => `${address}?row=${row}&${briefly(0)}`;
const newAddress = (row: number) => `${address}?${rows[row]?.query ?? `row=${row}`}`;

let service: EdgeService;
let composers: Composers;
let browser: Browser;
let footer: string;
let fallback: string;

beforeAll(async () => {
  // The Worker's client warns of outages.
  vi.spyOn(console, "warn").mockReturnValue(undefined);
  service = await startService();
  browser = await launchBrowser(inject("browserPath"));
  footer = withoutTags(await (await service.get(address)).text());
  fallback = withoutTags(await (await service.get(`${address}/fallback`)).text());
  composers = await startComposers(service, [
    ...rows.map((_row, index) => oldAddress(index)),
    ...rows.map((_row, index) => newAddress(index)),
  ]);
});

afterAll(async () => {
  if (browser) await closeInTime(browser);
  await composers?.stop();
  await service?.close();
});

const exceptions: Partial<Record<ComposerName, FragmentExceptions>> = {
  "Cloudflare Worker": {
    "shows a new visitor the footer with style and pictures while the service is down":
      "the copies are in Cloudflare's cache, which isn't here",
    "asks the service once for what many visitors want": "the copies are in Cloudflare's cache, which isn't here",
  },
};

for (const composer of composerNames)
  addFragmentTests(
    composer,
    () => ({ service, composers, browser, address: newAddress(0), footer }),
    exceptions[composer],
  );

it("Podium's client gets every country's footer with assets that can be loaded", async () => {
  const client = new PodiumClient({ name: "layout" });
  for (const { site, origin } of service.deps.countries.sites) {
    const uri = `${service.origin}/fragments/footer/${site}/manifest.json`;
    const podlet = client.register({ name: `footer${site.replace("_", "")}`, uri, throwable: true });
    const { content, css, js } = await podlet.fetch(new HttpIncoming({ headers: {}, url: "/" }, {}));
    expect(String(content)).toBe(await (await service.get(`/fragments/footer/${site}`)).text());
    expect([css.length, js.length]).toEqual([1, 1]);
    for (const { value } of [...css, ...js]) {
      const asset = new URL(value);
      expect(asset.origin).toBe(origin);
      expect((await service.get(asset.pathname)).status).toBe(200);
    }
  }
});

it("Podium's client fetches manifest and fallback once, and never falls back, while two builds answer at one address", async () => {
  const build = await readBuild(assetsFolder);
  const builds = [build, nextBuild(build)];
  const apps = await Promise.all(builds.map((one) => createTestApp({ assets: createAssets(one) })));
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { app } = apps[asked.push(request.url ?? "") % apps.length] ?? service;
    app(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const uri = `http://127.0.0.1:${port}${address}/manifest.json`;
  const podlet = new PodiumClient({ name: "layout" }).register({ name: "footer", uri, throwable: true });
  const styles = new Set<string>();
  for (let page = 0; page < 30; page++) {
    const { content, css } = await podlet.fetch(new HttpIncoming({ headers: {}, url: "/" }, {}));
    for (const { value } of css) expect(String(content)).toContain(`href="${new URL(value).pathname}"`);
    styles.add(css.map(({ value }) => value).join());
  }
  server.close();
  server.closeAllConnections();
  expect(styles.size).toBe(builds.length);
  expect(asked.filter((url) => url !== address)).toEqual([`${address}/manifest.json`, `${address}/fallback`]);
  expect(asked).toHaveLength(32);
});

it("every composer leaves the rest of the page alone when a fragment fails, and delays it two seconds at most", async () => {
  const each = <Result>(work: (composer: ComposerName) => Promise<Result>) => Promise.all(composerNames.map(work));
  const showsFooter = (composer: ComposerName, asked: string) =>
    vi.waitFor(
      async () => expect(withoutTags(placeOf(await (await composers.compose(composer, asked)).text()))).toBe(footer),
      5 * second,
    );
  for (const index of rows.keys()) await each((composer) => showsFooter(composer, oldAddress(index)));
  const keptAt = Date.now();
  await vi.waitUntil(() => Date.now() > keptAt + 2.1 * second, { timeout: 5 * second });

  const table: string[][] = [];
  for (const [index, { name, fault, query }] of rows.entries()) {
    await service.fail(fault);
    const look = async (composer: ComposerName, asked: string) => {
      const askedAt = performance.now();
      const html = await (await composers.compose(composer, asked)).text();
      expect.soft(performance.now() - askedAt, `${composer}: ${name}`).toBeLessThan(2.5 * second);
      return say(withoutTags(placeOf(html)));
    };
    const cells = await each(async (composer) => {
      const without = await look(composer, newAddress(index));
      const withCopy = query ? without : await look(composer, oldAddress(index));
      return without === withCopy ? without : `${without}; with a copy: ${withCopy}`;
    });
    table.push([name, ...cells]);
    await service.fail(undefined);
  }
  const rule = ["", ...composerNames].map(() => "---");
  const lines = [["What is wrong", ...composerNames], rule, ...table].map((cells) => `| ${cells.join(" | ")} |`);
  const text = readFileSync(document, "utf8");
  const written = text.replace(/(?<=<!-- faults -->\n).*?(?=<!-- \/faults -->)/s, `\n${lines.join("\n")}\n\n`);
  await expect(written).toMatchFileSnapshot(`../../${document}`);
}, 60_000);

/** Names what is shown in place of the fragment, in the words of the document. */
function say(place: string): string {
  if (place === "") return "nothing";
  if (place === footer) return "the footer";
  if (place === fallback) return "its fallback";
  if (place.includes("half")) return "the half";
  return `unexpected: ${place.slice(0, 200)}`;
}
