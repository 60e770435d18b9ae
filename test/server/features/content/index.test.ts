import { load } from "cheerio";
import request from "supertest";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Footer } from "../../../../schemas/types.ts";
import { createContent } from "../../../../server/features/content/index.ts";
import { footerTextLocale } from "../../../../server/sites/site.ts";
import { listOperations, readDocument } from "../../../../server/upstream/service-documents.ts";
import { choose, header, signIn } from "../../../support/preview-test.ts";
import { flood, hang, json, startStub, status } from "../../../support/start-stub.ts";
import { createTestApp, siteOf, sites, type TestChanges, texts } from "../../../support/test-app.ts";

const german = siteOf("DE");
const germanTexts = texts.bundle(footerTextLocale(german), "footer");
const linkOf = (text: string, dates = {}) => ({ url: "/service/recall", text, ...dates });
/** Germany's footer with one more legal link. */
const withLink = (link: Footer["legalLinks"][number]): Footer => ({
  ...german.footer,
  legalLinks: [...german.footer.legalLinks, link],
});
const recall = { footer: withLink(linkOf("recall")), texts: { ...germanTexts, recall: "Rückrufe" } };

/** What the content service answers for a site, as JSON; undefined for nothing. */
type Answers = Partial<Record<string, unknown>>;

/** The app with a content service, which `poll` asks for every site. */
async function createServedApp(first: Answers = {}, changes: TestChanges = {}) {
  let answers = first;
  const stub = await startStub((call, response) => {
    const answer = answers[call.url?.split("/").at(-1) ?? ""];
    const listener = answer === undefined ? status(404) : json(JSON.stringify(answer));
    listener(call, response);
  });
  const served = await createTestApp({ upstreams: { content: stub.origin }, ...changes });
  const { app, service, logs } = served;
  const [job] = service.content.jobs ?? [];
  onTestFinished(() => job?.close());
  const poll = async (next = answers) => {
    answers = next;
    await job?.start();
  };
  await poll();
  const isAnswered = (site: string) => service.content.contents.report?.(siteOf(site)).since !== undefined;
  // On a busy machine, a call may have ended at its deadline.
  while (!Object.keys(first).every(isAnswered)) {
    logs.length = 0;
    await poll();
  }
  const get = (path: string) => request(app).get(path).set("Host", "de.localhost");
  const footer = (site = "DE", query = "") => get(`/fragments/footer/${site}${query}`);
  const show = async (site?: string) => load((await footer(site).expect(200)).text, null, false);
  const legalLinks = async (site?: string) => (await show(site))("[data-section=legal] a").text();
  /** The log lines other than those of requests. */
  const logged = () => logs.filter(({ msg }) => msg !== "request");
  return { ...served, stub, poll, get, footer, show, legalLinks, logged };
}

describe("the content of a service", () => {
  it("replaces footer and texts of its own site, and is replaced without a restart", async () => {
    const { poll, legalLinks } = await createServedApp({ DE: recall });
    expect(await legalLinks()).toContain("Rückrufe");
    expect(await legalLinks("AT")).not.toContain("Rückrufe");
    await poll({ DE: { ...recall, texts: { ...recall.texts, recall: "Warnungen" } } });
    expect(await legalLinks()).toContain("Warnungen");
    await poll({});
    expect(await legalLinks()).not.toContain("Warnungen");
  });

  it("may be the footer alone, which names built-in texts", async () => {
    const { legalLinks } = await createServedApp({ DE: { footer: withLink(linkOf("legal.complaints")) } });
    expect(await legalLinks()).toContain(germanTexts["legal.complaints"]);
  });

  it("may be a single text, over the built-in ones", async () => {
    const { show, legalLinks, logged } = await createServedApp({
      DE: { texts: { "legal.heading": "Kleingedrucktes" } },
    });
    expect((await show())("[data-section=legal]").attr("aria-label")).toBe("Kleingedrucktes");
    expect(await legalLinks()).toContain(germanTexts["legal.imprint"]);
    expect(logged()).toEqual([]);
  });

  it.each(sites)("may be what is built in for $site, and changes no byte of its markup", async (site) => {
    const { footer: before } = await createServedApp();
    const answer = { footer: site.footer, texts: texts.bundle(footerTextLocale(site), "footer") };
    const { footer, logged } = await createServedApp({ [site.site]: answer });
    expect((await footer(site.site)).text).toBe((await before(site.site)).text);
    expect(logged()).toEqual([]);
  });

  it("may be the documented one", async () => {
    const [call] = listOperations(readDocument("content"));
    const { example } = call?.responses[200]?.content?.["application/json"] ?? {};
    const { show, logged } = await createServedApp({ DE: example });
    expect(logged()).toEqual([]);
    expect((await show())("[data-section=seo] a").text()).toBe(germanTexts["category.coffee"]);
  });

  it("is in every form of the footer, and changes its validators", async () => {
    const { get, footer, poll } = await createServedApp();
    const read = async () => {
      const [inline, manifest, data, fallback, reduced, page] = await Promise.all([
        footer(),
        get("/fragments/footer/DE/manifest.json"),
        get("/fragments/footer/DE.json"),
        get("/fragments/footer/DE/fallback"),
        footer("DE", "?reduced=true"),
        get("/"),
      ]);
      const shown = [inline.text, data.body.html, fallback.text, reduced.text, page.text];
      return { shown, validators: [inline.headers.etag, manifest.body.version, fallback.headers["podlet-version"]] };
    };
    const before = await read();
    for (const text of before.shown) expect(text).not.toContain("Rückrufe");
    await poll({ DE: recall });
    const after = await read();
    for (const text of after.shown) expect(text).toContain("Rückrufe");
    expect(before.validators.filter((validator) => after.validators.includes(validator))).toEqual([]);
    await poll();
    expect((await read()).validators).toEqual(after.validators);
  });

  it("names the pages of the demo shop that it links to", async () => {
    const { get, poll } = await createServedApp({}, { demo: true });
    const page = () => get("/service/recall").set("Accept", "text/html");
    expect((await page()).status).toBe(404);
    await poll({ DE: recall });
    expect(load((await page().expect(200)).text)("h1").text()).toBe("Rückrufe");
  });

  it("shows no image for an unknown one, which an error names", async () => {
    const [seal] = german.footer.qualityLogos.logos;
    const logos = [{ ...seal, image: { ...seal?.image, source: "unknown" } }];
    const qualityLogos = { ...german.footer.qualityLogos, logos };
    const { show, logged } = await createServedApp({ DE: { footer: { ...german.footer, qualityLogos } } });
    expect((await show())("[data-section=quality] img")).toHaveLength(0);
    const field = "/footer/qualityLogos/logos/0/image/source";
    expect(logged()).toMatchObject([{ level: 50, site: "DE", field, source: "unknown" }]);
  });
});

describe("a content that breaks a rule of country files", () => {
  const footer = german.footer;
  const withHeading = (text: string) => ({ texts: { ...germanTexts, "legal.heading": text } });
  const withForm = (form: string): [string, unknown, string] => [
    `the form ${form}`,
    withHeading(`planted ${form}`),
    "/texts/legal.heading must write a placeholder as {{name}}",
  ];
  const filledList = <Item>(length: number, item: (index: number) => Item) =>
    Array.from({ length }, (_none, index) => item(index));
  const filled = (length: number, entry: (index: number) => [string, string]) =>
    Object.fromEntries(filledList(length, entry));
  const seal = { image: { label: "Planted", source: "green", width: 80, height: 80 } };
  it.each<[what: string, answer: unknown, fault: string | RegExp]>([
    ["a field", { foot: {} }, "/foot is not known"],
    [
      "a scheme",
      { footer: withLink({ ...linkOf("legal.complaints"), url: "planted:1" }) },
      /legalLinks\/\d+\/url must match/,
    ],
    [
      "a link with a control character",
      { footer: withLink({ ...linkOf("legal.complaints"), url: "/\0" }) },
      /legalLinks\/\d+\/url must not contain a control character/,
    ],
    [
      "a period",
      {
        footer: withLink(
          linkOf("legal.complaints", { validFrom: "2027-01-01T00:00:00Z", validTo: "2026-01-01T00:00:00Z" }),
        ),
      },
      /validTo must be later/,
    ],
    [
      "a seal without a certificate",
      { footer: { ...footer, qualityLogos: { ...footer.qualityLogos, logos: [seal] } } },
      /logos\/0\/certifiedBy is missing/,
    ],
    [
      "a second consent",
      { footer: { ...footer, legalLinks: [...footer.legalLinks, ...footer.legalLinks] } },
      "/footer/legalLinks must contain exactly one",
    ],
    [
      "a placeholder",
      { texts: { ...germanTexts, "legal.heading": "planted {{other}}" } },
      "/texts/legal.heading must have no placeholder",
    ],
    [
      "a fact",
      { ...recall, texts: { ...recall.texts, recall: "planted {{other}}" } },
      /text "recall" needs \/facts\/other/,
    ],
    [
      "a text of a prototype",
      { footer: { ...footer, headline: "constructor" }, texts: germanTexts },
      "/footer/headline names a text",
    ],
    ["a list", [recall], "must be object"],
    ...[
      "$t(legal.heading)",
      "{{- x}}",
      "{{ y }}",
      "{{a.b}}",
      "{{constructor.name}}",
      "{{count, number}}",
      "{{",
      "}}",
    ].map(withForm),
    [
      "three braces",
      { ...recall, texts: { ...recall.texts, recall: "planted {{{phone}}}" } },
      "/texts/recall must write",
    ],
    [
      "a control character",
      withHeading("planted \x1b[2J"),
      "/texts/legal.heading must not contain a control character",
    ],
    ["half of a letter", withHeading("planted \ud83c"), "/texts/legal.heading must not contain a control character"],
    [
      "plural forms that differ",
      { texts: { ...recall.texts, more_one: "{{phone}}", more_other: "planted" } },
      "/texts/more_one must have no placeholder",
    ],
    ["a long text", withHeading("planted".repeat(300)), "/texts/legal.heading must have at most 2000 characters"],
    [
      "many texts",
      { texts: { ...germanTexts, ...filled(1_000, (index) => [`k${index}`, "planted"]) } },
      "/texts must have at most 1000 texts",
    ],
    [
      "many links",
      {
        footer: { ...footer, legalLinks: [...footer.legalLinks, ...filledList(1_000, () => linkOf("legal.imprint"))] },
      },
      "/footer must name at most 1000 texts",
    ],
    [
      "many dates",
      {
        footer: {
          ...footer,
          legalLinks: [
            ...footer.legalLinks,
            ...filledList(100, (index) => linkOf("legal.imprint", { validFrom: new Date(index * 1e9).toISOString() })),
          ],
        },
      },
      "/footer must have at most 100 versions",
    ],
    [
      "a long footer",
      {
        footer: { ...footer, legalLinks: [...footer.legalLinks, ...filledList(200, () => linkOf("legal.imprint"))] },
        texts: { ...germanTexts, "legal.imprint": "planted".repeat(250) },
      },
      "makes a footer of more than 262144 characters",
    ],
  ])("for %s, is refused whole and named once", async (_what, answer, fault) => {
    const { poll, legalLinks, logged, deps } = await createServedApp({ DE: recall });
    for (const _again of [1, 2]) await poll({ DE: answer });
    expect(await legalLinks()).toContain("Rückrufe");
    const reason = typeof fault === "string" ? expect.stringContaining(fault) : expect.stringMatching(fault);
    const msg = "content refused, the last one stays";
    expect(logged()).toMatchObject([{ level: 40, site: "DE", faults: expect.arrayContaining([reason]), msg }]);
    expect(JSON.stringify(logged())).not.toContain("planted");
    const calls = await deps.metrics.registry.getMetricsAsJSON();
    expect(JSON.stringify(calls)).toContain('"upstream":"content","outcome":"broken"');
    for (const _again of [1, 2]) await poll({ DE: recall });
    expect(logged()).toHaveLength(1);
    await poll();
    expect(logged()).toMatchObject([{}, { level: 30, site: "DE", msg: "content accepted again" }]);
  });

  it("is named once beside good contents and drafts of the same service", async () => {
    const { app, stub, poll, footer, legalLinks, logged, deps } = await createServedApp(
      { DE: recall },
      { trustProxy: ["loopback"] },
    );
    const staff = await choose(app, await signIn(app, deps.store.db), new Date().toISOString());
    const publicly = stub.answer;
    let drafts = 0;
    stub.answer = (call, response) => {
      if (!call.headers.cookie) return publicly(call, response);
      json(JSON.stringify(withHeading(`planted {{draft${drafts++}}}`)))(call, response);
    };
    const other = { ...recall, texts: { ...recall.texts, recall: "Warnungen" } };
    for (const _round of filledList(5, () => 0)) {
      for (const answer of [withHeading("planted {{other}}"), recall, withHeading("planted $t(x)"), other])
        await poll({ DE: answer });
      for (const _draft of filledList(6, () => 0))
        expect((await footer().set("Cookie", header(staff))).text).toContain("Warnungen");
    }
    const named = logged().filter(({ msg }) => msg === "content refused, the last one stays");
    expect(named).toHaveLength(2);
    expect(logged().filter(({ msg }) => msg === "previewed content refused")).toHaveLength(drafts);
    expect(logged().filter(({ msg }) => msg === "content accepted again")).toEqual([]);
    expect(await legalLinks()).toContain("Warnungen");
  });

  it("or whose footer can't be rendered, is refused with the error", async () => {
    const { context, logs } = await createTestApp();
    const fails = () => {
      throw new Error("planted");
    };
    const stub = await startStub(json(JSON.stringify(recall)));
    const upstreams = (await createTestApp({ upstreams: { content: stub.origin } })).context.upstreams;
    const content = createContent({ ...context, upstreams }, fails);
    const [job] = content.jobs ?? [];
    onTestFinished(() => job?.close());
    for (const _again of [1, 2]) await job?.start();
    expect(content.contents.current(german).id).toBeUndefined();
    const refused = logs.filter(({ site }) => site === "DE");
    expect(refused).toMatchObject([{ faults: ["can't be rendered"], err: { type: "Error" } }]);
  });

  it("names ten of many faults, and is described on the overview", async () => {
    const links = Array.from({ length: 12 }, () => linkOf("planted"));
    const wrong = { footer: { ...german.footer, legalLinks: [...german.footer.legalLinks, ...links] } };
    const { app, poll, logged, service } = await createServedApp({ DE: recall, AT: { footer: siteOf("AT").footer } });
    const first = service.content.contents.report?.(german).since;
    await poll({ DE: wrong, AT: { footer: siteOf("AT").footer } });
    expect(logged()).toMatchObject([{ count: 12, faults: { length: 10 } }]);
    const overview = await request(app).get("/").set("Host", "localhost:3000").expect(200);
    const $ = load(overview.text);
    const rows = $("#contents tbody tr").toArray();
    const rowOf = (site: string) => rows.map((row) => $(row)).find((row) => row.find("th").text().endsWith(` ${site}`));
    const cells = (site: string) =>
      rowOf(site)
        ?.find("td")
        .toArray()
        .map((cell) => $(cell).text());
    const [parts, since, refused = ""] = cells("DE") ?? [];
    expect(parts).toBe("footer and texts from the service");
    expect(since).toMatch(/ UTC$/);
    expect(refused).toMatch(/UTC.*\/footer\/legalLinks\/.*10\sof\s12\sfaults$/);
    expect(cells("AT")).toEqual(["footer from the service, built-in texts", expect.any(String), "nothing"]);
    expect(cells("PL")).toEqual(["built-in content", expect.any(String), "nothing"]);
    for (const _again of [1, 2, 3]) await poll({ DE: recall });
    expect(service.content.contents.report?.(german)).toMatchObject({ refused: undefined, since: first });
    await poll({ DE: wrong });
    expect(
      logged().map(({ msg }) => msg),
      "named again after it was put right",
    ).toEqual([
      ...["content refused, the last one stays", "content accepted again", "content refused, the last one stays"],
    ]);
  });
});

describe("a content service that fails", () => {
  it.each([
    ["answers 500", status(500), /status 500/],
    ["answers no JSON", json("{"), /isn't valid JSON/],
    ["answers more than 256 KB", flood, /answer larger than 262144 bytes/],
    ["answers nothing", hang, /no answer within 2000 ms/],
  ])("and %s leaves the last content for good, with one line for all sites", async (_what, answer, reason) => {
    const { stub, poll, legalLinks, logged } = await createServedApp({ DE: recall });
    const rightly = stub.answer;
    stub.answer = answer;
    for (const _again of [1, 2]) await poll();
    expect(await legalLinks()).toContain("Rückrufe");
    const upstream = "content";
    expect(logged()).toMatchObject([{ upstream, reason: expect.stringMatching(reason), msg: "upstream failed" }]);
    stub.answer = rightly;
    await poll();
    expect(logged()).toMatchObject([{}, { upstream, msg: "upstream recovered" }]);
  });

  it("from the start on leaves the built-in content", async () => {
    const { legalLinks, app, logged } = await createServedApp({}, { upstreams: { content: "http://127.0.0.1:9" } });
    expect(await legalLinks()).toContain("Impressum");
    expect(logged()).toMatchObject([{ upstream: "content", msg: "upstream failed" }]);
    const overview = await request(app).get("/").set("Host", "localhost:3000").expect(200);
    expect(load(overview.text)("#contents td").text()).toContain("no valid answer yet");
  });
});

describe("a dated entry of a content", () => {
  const [before, start] = [Date.parse("2027-03-01T11:59:50Z"), "2027-03-01T12:00:00Z"];
  const dated = { ...recall, footer: withLink(linkOf("recall", { validFrom: start })) };

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"], now: before });
    onTestFinished(() => void vi.useRealTimers());
  });

  it("bounds Cache-Control, and is shown in time", async () => {
    const { footer, legalLinks } = await createServedApp({ DE: dated });
    expect(await legalLinks()).not.toContain("Rückrufe");
    expect((await footer()).headers["cache-control"]).toMatch(/max-age=10, s-maxage=10, stale-while-revalidate=0/);
    vi.setSystemTime(Date.parse(start));
    expect(await legalLinks()).toContain("Rückrufe");
    expect((await footer()).headers["cache-control"]).toContain("s-maxage=300");
  });

  it("is previewed at its time, is among the preview's jumps, and so is a draft that only staff get", async () => {
    const { app, stub, get, footer, deps } = await createServedApp({ DE: dated }, { trustProxy: ["loopback"] });
    const staff = await choose(app, await signIn(app, deps.store.db), start);
    const previewed = () => footer().set("Cookie", header(staff));
    expect((await previewed()).text).toContain("Rückrufe");
    const asked = stub.requests.at(-1)?.headers.cookie;
    expect(asked).toContain(`PreviewContext=${staff.PreviewContext}`);
    const after = new Date(before).toISOString();
    const changes = await get(`/service/preview/api/changes?site=DE&after=${after}`).set("Cookie", header(staff));
    expect(changes.body.next).toEqual({
      dateTime: "2027-03-01T12:00:00.000Z",
      changes: [{ kind: "footer", name: "Rückrufe", change: "starts" }],
    });
    const draft = json(JSON.stringify({ ...dated, texts: { ...dated.texts, recall: "Entwurf" } }));
    const publicly = stub.answer;
    stub.answer = (call, response) => (call.headers.cookie ? draft : publicly)(call, response);
    expect((await previewed()).text).toContain("Entwurf");
    expect((await footer()).text).not.toContain("Entwurf");
    stub.answer = status(500);
    expect((await previewed()).text).toContain("Rückrufe");
  });
});

describe("an edge", () => {
  it("is told of each change of a site that it may store, and of no other", async () => {
    const edgePurging = {
      url: "http://127.0.0.1:9/purge",
      form: "varnish",
      secret: undefined,
      secretFile: undefined,
      check: false,
    } as const;
    const { poll, stub, deps } = await createServedApp({ DE: recall }, { edgePurging });
    const purged = async () => {
      const rows = await deps.store.db.deleteFrom("purge").returning("id").execute();
      return rows.map(({ id }) => id);
    };
    expect(await purged()).toEqual([]);
    await poll();
    expect(await purged()).toEqual([]);
    await poll({ DE: { footer: recall.footer, texts: { ...recall.texts, recall: "Warnungen" } } });
    expect(await purged()).toEqual(["country-DE"]);
    stub.answer = status(500);
    await poll();
    expect(await purged()).toEqual([]);
    stub.answer = status(404);
    await poll();
    expect(await purged()).toEqual(["country-DE"]);
  });
});
