import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { second } from "../../../client/rules/time.ts";
import { createFragments, type FragmentsOptions, type Outage } from "../../../packages/client/index.ts";
import type { FragmentData } from "../../../schemas/types.ts";
import { type EdgeService, type FragmentFault, startService } from "../../edge/start-service.ts";
import { passTime } from "../../support/pass-time.ts";
import { choose, christmas, header, signIn } from "../../support/preview-test.ts";

const path = "/fragments/footer/DE.json";
const hour = 3600 * second;

let service: EdgeService;
let data: FragmentData;

beforeAll(async () => {
  service = await startService();
  data = await (await service.get(path)).json();
});
afterAll(() => service?.close());
afterEach(async () => {
  vi.useRealTimers();
  await service.fail(undefined);
});

/** Creates a page's client, with the list of its outages and of the requests that the service has got from it. */
function create(options: Partial<FragmentsOptions> = {}) {
  const outages: Outage[] = [];
  const onOutage = (outage: Outage) => outages.push(outage);
  const before = service.asked.length;
  const asked = () => service.asked.slice(before);
  return { ...createFragments({ service: service.origin, onOutage, ...options }), outages, asked };
}

/** Makes time pass for the client, while the machine's clock is set back. */
function pass(seconds: number) {
  passTime(seconds * second);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - hour });
}

it("gives the fragment of the service, once fetched for all who want it", async () => {
  const fragments = create();
  const letGo = service.hold();
  const all = Array.from({ length: 20 }, () =>
    fragments.get("footer", "DE", {}, { cookie: "affiliateNumber=1; login=x" }),
  );
  letGo();
  const { html, head, build } = data;
  for (const fragment of await Promise.all(all)) expect(fragment).toEqual({ html, head, build, state: "fresh" });
  await fragments.warm(["DE", "AT"]);
  expect(await fragments.routes()).toEqual(data.routes);
  const urls = fragments.asked().map(({ url, headers }) => `${url} ${headers.cookie}`);
  expect(urls).toEqual([`${path} undefined`, "/fragments/footer/AT.json undefined"]);
  const reduced = await fragments.get("footer", "DE", { reduced: true, platform: "MATCH" });
  expect(reduced.html).toMatch(/data-platform="MATCH".* data-reduced="true"/);
  expect((await fragments.get("newsletter", "CH_FR")).html).toContain('data-site="CH_FR"');
  expect((await fragments.get("head", "DE")).head).toMatch(/footer-.*newsletter-/);
});

it("keeps one copy of a fragment, in whatever order its parameters are given", async () => {
  const fragments = create();
  const one = await fragments.get("footer", "DE", { reduced: true, platform: "MATCH" });
  expect(await fragments.get("footer", "DE", { platform: "MATCH", newsletter: undefined, reduced: true })).toEqual(one);
  expect(fragments.asked().map(({ url }) => url)).toEqual([`${path}?platform=MATCH&reduced=true`]);
});

it("shows an old fragment while it asks whether there is a newer one", async () => {
  const fragments = create();
  await fragments.get("footer", "DE");
  pass(400);
  expect(await fragments.get("footer", "DE")).toMatchObject({ html: data.html, state: "stale" });
  await vi.waitFor(async () => expect((await fragments.get("footer", "DE")).state).toBe("fresh"));
  expect(fragments.asked()).toHaveLength(2);
  expect(fragments.asked()[1]?.headers).toHaveProperty("if-none-match");
});

/** Returns the result of a call that ends before a timer of the same turn, however slow the machine is. */
function endsWithin<Result>(milliseconds: number, call: () => Promise<Result>): Promise<Result> {
  return Promise.race([
    call(),
    pause(milliseconds + 1, undefined, { ref: false }).then(() => {
      throw new Error(`it takes longer than ${milliseconds} ms`);
    }),
  ]);
}

describe.each<{ fault: FragmentFault; reason: RegExp; deadline: number }>([
  { fault: "answers 500 with a page", reason: /^500: Internal Server Error$/, deadline: 20 * second },
  { fault: "hangs", reason: /^no answer within 200 ms$/, deadline: 200 },
  { fault: "stalls", reason: /^no answer within 200 ms$/, deadline: 200 },
  { fault: "cuts the body", reason: /^terminated/, deadline: 20 * second },
  { fault: "takes no connections", reason: /ECONNREFUSED/, deadline: 20 * second },
])("a service that $fault", ({ fault, reason, deadline }) => {
  it("costs pages no more than the deadline, and is reported once until it is back", async () => {
    const fallback = { footer: (site: string) => `<footer>${site}</footer>` };
    const fragments = create({ deadline, fallback });
    const get = (name: "footer" | "newsletter", site: string, patience = deadline) =>
      endsWithin(patience, () => fragments.get(name, site));
    const untilFresh = (site: string) =>
      vi.waitFor(
        async () => expect(await fragments.get("footer", site)).toMatchObject({ state: "fresh" }),
        20 * second,
      );
    await untilFresh("AT");
    pass(hour / second);
    await service.fail(fault);
    expect(await get("footer", "AT")).toMatchObject({ state: "stale" });
    expect(await get("footer", "DE")).toEqual({ html: "<footer>DE</footer>", head: "", state: "fallback" });
    expect(await get("newsletter", "DE")).toEqual({ html: "", head: "", state: "absent" });
    for (let page = 0; page < 3; page++) await get("footer", "DE", deadline / 10);
    expect(await fragments.contentSecurityPolicy("default-src 'none'", "DE")).toBe("default-src 'none'");
    const begun = { site: "DE", reason: expect.stringMatching(reason), since: expect.any(Date), over: false };
    const ofFooter = () => fragments.outages.filter((outage) => outage.fragment === "footer" && outage.site === "DE");
    expect(ofFooter()).toEqual([{ ...begun, fragment: "footer" }]);

    await service.fail(undefined);
    await untilFresh("DE");
    expect(ofFooter().slice(1)).toEqual([{ ...begun, fragment: "footer", over: true }]);
  });
});

it("takes null for no parameters and no visitor", async () => {
  expect(await create().get("footer", "DE", null, null)).toMatchObject({ html: data.html, state: "fresh" });
});

it("says what is wrong with a request", async () => {
  const fragments = create();
  expect(await fragments.get("footer", "XX")).toMatchObject({ state: "absent" });
  expect(fragments.outages).toMatchObject([
    { site: "XX", reason: expect.stringMatching(/^400: site must be one of /) },
  ]);
});

it("says that a page has answered in the service's place", async () => {
  const page = new Response("<!doctype html>", { headers: { "content-type": "text/html" } });
  const fragments = create({ fetch: async () => page });
  expect(await fragments.get("footer", "DE")).toMatchObject({ state: "absent" });
  expect(fragments.outages).toMatchObject([{ reason: expect.stringContaining("does /fragments/ reach the service?") }]);
});

describe("a redirect", () => {
  /** Starts a server that redirects every call, and records its requests. */
  async function startRedirect(location: (url: string) => string) {
    const asked: string[] = [];
    const server = createServer(({ url = "" }, response) => {
      asked.push(url);
      response.writeHead(307, { Location: location(url) }).end();
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    return { origin: `http://127.0.0.1:${port}`, asked };
  }

  it("to another origin isn't followed, and is reported", async () => {
    const { origin, asked } = await startRedirect((url) => service.origin + url);
    const fragments = create({ service: origin });
    const cookie = "PreviewContext=a; StaffAuthToken=b; CobraAuthToken=c";
    for (const visitor of [null, { cookie }])
      expect(await fragments.get("footer", "DE", {}, visitor)).toMatchObject({ html: "", state: "absent" });
    expect(asked).toEqual([path, path]);
    expect(fragments.asked()).toEqual([]);
    expect(fragments.outages).toMatchObject([{ reason: expect.stringMatching(`^307: .*${service.origin}`) }]);
  });

  it("to another place of the same host is followed once", async () => {
    const urls: string[] = [];
    const targets: Record<string, string> = {
      [`http://shop.example${path}`]: `https://shop.example${path}`,
      [`http://shop.example${path.replace("DE", "AT")}`]: "/loop",
      "http://shop.example/loop": "/loop",
      [`https://shop.example${path}`]: `http://shop.example${path}`,
    };
    const redirecting = (service: string, isHome: (url: string) => boolean) =>
      create({
        service,
        async fetch(url) {
          urls.push(url);
          if (isHome(url)) return Response.json(data);
          return new Response(null, { status: 301, headers: { Location: targets[url] ?? "" } });
        },
      });
    const toHttps = redirecting("http://shop.example", (url) => url.startsWith("https:"));
    expect(await toHttps.get("footer", "DE")).toMatchObject({ html: data.html, state: "fresh" });
    expect(await toHttps.get("footer", "AT")).toMatchObject({ state: "absent" });
    const toHttp = redirecting("https://shop.example", (url) => url.startsWith("http:"));
    expect(await toHttp.get("footer", "DE")).toMatchObject({ state: "absent" });
    expect(urls.map((url) => url.replace(/^(https?).*\/(.+)$/, "$1 $2"))).toEqual([
      ...["http DE.json", "https DE.json"],
      ...["http AT.json", "http loop"],
      "https DE.json",
    ]);
  });
});

it("reads at most 2 MB of an answer, and reports one that is larger", async () => {
  let sent = 0;
  const endless = new ReadableStream({
    pull(controller) {
      sent += 1;
      controller.enqueue(new Uint8Array(100_000).fill(32));
    },
  });
  const fragments = create({ fetch: async () => new Response(endless) });
  expect(await fragments.get("footer", "DE")).toMatchObject({ state: "absent" });
  expect(fragments.outages).toMatchObject([{ reason: "the answer is larger than 2000000 bytes" }]);
  expect(sent).toBeLessThan(30);
});

it.each([[{}], [{ service: "" }], [{ service: "fragments:3000" }]])(
  "names the option that is missing or wrong: %o",
  (options) => {
    expect(() => createFragments(Object(options))).toThrow(/`service`/);
  },
);

it("keeps shoppers from errors of the page team", async () => {
  vi.mocked(console.error).mockImplementation(() => undefined);
  const fail = () => {
    throw new Error("own");
  };
  const fragments = create({ fallback: { footer: fail }, onOutage: fail });
  expect(await fragments.get("footer", "XX")).toMatchObject({ html: "", state: "absent" });
  expect(await fragments.get("newsletter", "no text: \ud800")).toMatchObject({ html: "", state: "absent" });
  expect(console.error).toHaveBeenCalledTimes(3);
  vi.mocked(console.error).mockClear();
});

it("shows staff what they preview, and sends no other cookie", async () => {
  const fragments = create();
  const staff = await choose(service.app, await signIn(service.app, service.deps.store.db), christmas, "B");
  const cookie = [...header(staff), "login=secret", "LoginToken=x"].join("; ");
  const isPreview = expect.stringContaining('data-preview-context="true"');
  for (const html of [isPreview, isPreview])
    expect(await fragments.get("footer", "DE", {}, { cookie })).toMatchObject({ html, state: "fresh" });
  expect((await fragments.get("footer", "DE")).html).toBe(data.html);
  expect(fragments.asked()).toHaveLength(3);
  for (const { headers } of fragments.asked().slice(0, 2)) expect(headers.cookie).not.toMatch(/login/i);
});

it("asks again for what is purged, and keeps it if that fails", async () => {
  const fragments = create();
  await fragments.warm(["DE", "AT"]);
  fragments.purge("country-DE");
  await fragments.warm(["DE", "AT"]);
  expect(fragments.asked().map(({ url }) => url)).toEqual([path, path.replace("DE", "AT"), path]);
  fragments.purge("country-DE");
  await service.fail("answers 500 with a page");
  expect(await fragments.get("footer", "DE")).toMatchObject({ html: data.html, state: "stale" });
});

it("asks again for what is purged while it is asked for", async () => {
  const fragments = create({ deadline: 30 * second });
  const letGo = service.hold();
  const early = fragments.get("footer", "DE");
  await vi.waitFor(() => expect(fragments.asked()).toHaveLength(1));
  fragments.purge("country-DE");
  const late = fragments.get("footer", "DE");
  await vi.waitFor(() => expect(fragments.asked()).toHaveLength(2));
  letGo();
  for (const { state } of await Promise.all([early, late])) expect(state).toBe("fresh");
});

it.each([
  ["in its data, whatever header", ["country-DE"], { "Cache-Tag": "country-DE" }],
  ["in a header, as 1.0 answers", undefined, { "Surrogate-Key": "fragment-footer country-DE" }],
])("purges an answer that has its tags %s", async (_where, tags, headers) => {
  let asked = 0;
  const caching = { "Cache-Control": "max-age=60" };
  const fragments = create({
    async fetch() {
      asked++;
      return Response.json({ ...data, tags }, { headers: { ...headers, ...caching } });
    },
  });
  for (const tag of ["country-D", "country-DE"]) {
    await fragments.warm(["DE"]);
    fragments.purge(tag);
  }
  expect(asked).toBe(1);
  await fragments.warm(["DE"]);
  expect(asked).toBe(2);
});

it.each([
  ["max-age=60", "50", 2],
  ["max-age=5, s-maxage=60", "0", 1],
  ["max-age=60, s-maxage=0", "0", 2],
  ["private, max-age=60", "0", 2],
])("asks again when %s with an age of %s says so", async (cacheControl, age, times) => {
  let asked = 0;
  const headers = { "Cache-Control": cacheControl, Age: age };
  const fragments = create({ fetch: async () => Response.json({ ...data, build: String(++asked) }, { headers }) });
  await fragments.get("footer", "DE");
  pass(20);
  expect(await fragments.get("footer", "DE")).toMatchObject({ build: String(times), state: "fresh" });
});

it("keeps at most 20 MB, and what was used last", async () => {
  const asked: string[] = [];
  const headers = { "Cache-Control": "max-age=60" };
  const fragments = create({
    async fetch(url) {
      asked.push(new URL(url).pathname);
      return Response.json({ ...data, html: "x".repeat(1_500_000) }, { headers });
    },
  });
  for (const site of "ABCDEFGHIJKLAMNAB") await fragments.get("footer", site);
  expect(asked.map((url) => url.replace(/.*\/(.)\.json/, "$1")).join("")).toBe("ABCDEFGHIJKLMNB");
});

it.each([
  [
    "<head><title>a</title></HEAD><body><p>$&</p></body>",
    "<head><title>a</title>HEAD</HEAD><body><p>$&</p>HTML</body>",
  ],
  ["<!doctype html><p>İ</p>", "<!doctype html><p>İ</p>HEADHTML"],
  [
    "<head></head><script>'</body>'</script></body></html>",
    "<head>HEAD</head><script>'</body>'</script>HTML</body></html>",
  ],
])("inserts the footer into %s", async (page, expected) => {
  const inserted = expected.replace("HEAD", () => data.head).replace("HTML", () => data.html);
  expect(await create().insert(page, "DE")).toBe(inserted);
});

it("gives the tags the nonce of the page", async () => {
  const { head } = await create().get("footer", "DE", {}, { nonce: 'a+/=_-"><b>' });
  expect(head).toBe(data.head.replaceAll(/<(link|script) /g, '<$1 nonce="a+/=_-b" '));
});

it.each([
  ["", ""],
  ["upgrade-insecure-requests", "upgrade-insecure-requests"],
  ["script-src 'nonce-x' 'strict-dynamic'", "script-src 'nonce-x' 'strict-dynamic' 'self'"],
  ["script-src https:; SCRIPT-SRC-ELEM 'none'", "script-src https:; SCRIPT-SRC-ELEM 'self'"],
  ["style-src;img-src 'NONE'; connect-src 'self'", "style-src 'self';img-src 'self'; connect-src 'self'"],
  ["form-action 'none'; frame-ancestors 'none'", "form-action 'self'; frame-ancestors 'none'"],
  ["default-src 'self'", "default-src 'self'"],
  [
    "default-src https://a.example;",
    ["script", "style", "img", "connect"].reduce(
      (sum, name) => `${sum}; ${name}-src https://a.example 'self'`,
      "default-src https://a.example",
    ),
  ],
  [
    "default-src 'none'; img-src *",
    "default-src 'none'; img-src * 'self'; script-src 'self'; style-src 'self'; connect-src 'self'",
  ],
  ["script-src a.example, script-src b.example", "script-src a.example 'self', script-src b.example 'self'"],
])("adds to the policy %j", async (policy, expected) => {
  expect(await create().contentSecurityPolicy(policy, "DE")).toBe(expected);
});
