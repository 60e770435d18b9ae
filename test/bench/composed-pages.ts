import { once } from "node:events";
import { Agent, createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { createFragments } from "../../packages/client/index.ts";
import { startNginx, startVarnish } from "../edge/start-edges.ts";
import { page as hostPage, type PageKind, pageOf, startPages } from "../edge/start-pages.ts";
import { findOrInstall } from "../support/debian-packages.ts";
import { formatSummary, type Measure } from "./report.ts";
import { service, startServer } from "./start-server.ts";
import { percentile, summarize } from "./summarize.ts";

const site = "DE";
const footer = `/fragments/footer/${site}`;
const rounds = 9;
const perRound = 200;

/** How long a page takes. */
interface Times {
  firstByte: Milliseconds;
  lastByte: Milliseconds;
}

/** A composer with the addresses of a page that includes the footer, and of the same page without it. */
interface Composer {
  title: string;
  composed: string;
  plain: string;
}

/** Measures how much longer visitors wait for a page because it includes a footer that the composer keeps. */
export const composedPages: Measure = {
  name: "composed",
  duration: 10 * second,
  async run() {
    const { origin } = await startServer(service, footer);
    const pages = await startPages();
    const nginx = await startNginx(findOrInstall("nginx", "-v", "nginx-light"), [origin], pages.origin);
    const varnish = await startVarnish(findOrInstall("varnishd", "-V", "varnish"), [origin], pages.origin);
    const client = await startClient(origin);
    const composerOf = (title: string, base: string, kind: PageKind) => {
      return { title, composed: base + pageOf(kind, footer), plain: base + pageOf("none", footer) };
    };
    const composers = {
      composedNginx: composerOf("nginx", nginx.origin, "ssi"),
      composedVarnish: composerOf("Varnish", varnish.origin, "esi"),
      composedClient: { title: "Node client", composed: `${client.origin}/composed`, plain: `${client.origin}/plain` },
    } satisfies Record<string, Composer>;
    try {
      const names = Object.keys(composers) as (keyof typeof composers)[];
      for (const name of names) await checkPages(composers[name]);
      const measured = names.map(() => [] as Record<"composed" | "plain", Times>[]);
      for (const name of names) await measureRound(composers[name]);
      for (let round = 0; round < rounds; round++)
        for (const [index, name] of names.entries()) measured[index]?.push(await measureRound(composers[name]));
      const added = (index: number, time: keyof Times) =>
        summarize((measured[index] ?? []).map(({ composed, plain }) => composed[time] - plain[time]));
      const plain = (index: number) => summarize((measured[index] ?? []).map(({ plain }) => plain.firstByte));
      return {
        figures: Object.fromEntries(names.map((name, index) => [name, added(index, "firstByte")])),
        table: [
          ["", "first byte without it (ms)", "added to the first byte (ms)", "added to the whole page (ms)"],
          ...names.map((name, index) => [
            composers[name].title,
            ...[plain(index), added(index, "firstByte"), added(index, "lastByte")].map(formatSummary),
          ]),
        ],
      };
    } finally {
      await Promise.all([nginx.stop(), varnish.stop(), pages.close()]);
      client.close();
    }
  },
};

/** Starts a page server that inserts the footer with the client. */
async function startClient(fragments: string) {
  const { insert } = createFragments({ service: fragments });
  const server = createServer(async ({ url }, response) => {
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    response.end(url === "/composed" ? await insert(hostPage(""), site) : hostPage(""));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * @throws Error if the footer isn't in the composed page, or is in the other one
 */
async function checkPages({ title, composed, plain }: Composer): Promise<void> {
  const hasFooter = async (url: string) => (await (await fetch(url)).text()).includes('data-fragment="footer"');
  if (!(await hasFooter(composed)) || (await hasFooter(plain)))
    throw new Error(`${title}: not the pages that it should give`);
}

/**
 * Requests both pages in turns, so that a slow moment of the machine affects both.
 * @returns the medians
 */
async function measureRound({ composed, plain }: Composer) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times = { composed: [] as Times[], plain: [] as Times[] };
  for (let count = 0; count < perRound; count++) {
    times.plain.push(await ask(plain, agent));
    times.composed.push(await ask(composed, agent));
  }
  agent.destroy();
  return { composed: medianOf(times.composed), plain: medianOf(times.plain) };
}

function medianOf(times: readonly Times[]): Times {
  const median = (time: keyof Times) =>
    percentile(
      times.map((one) => one[time]),
      0.5,
    );
  return { firstByte: median("firstByte"), lastByte: median("lastByte") };
}

/** Requests a compressed page, as browsers do. */
function ask(url: string, agent: Agent): Promise<Times> {
  const { promise, resolve, reject } = Promise.withResolvers<Times>();
  const started = performance.now();
  get(url, { agent, headers: { "Accept-Encoding": "gzip" } }, (response) => {
    let firstByte: Milliseconds = 0;
    response.once("data", () => {
      firstByte = performance.now() - started;
    });
    response.on("end", () =>
      response.statusCode === 200
        ? resolve({ firstByte, lastByte: performance.now() - started })
        : reject(new Error(`${url}: ${response.statusCode}`)),
    );
  }).on("error", reject);
  return promise;
}
