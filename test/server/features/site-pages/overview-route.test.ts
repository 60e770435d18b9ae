import { load } from "cheerio";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { countryName } from "../../../../server/sites/site.ts";
import { countries, createTestApp, sites } from "../../../support/test-app.ts";

const { app, logs } = await createTestApp();
const host = "localhost:3000";

const get = (query = "") => request(app).get(`/${query}`).set("Host", host);
const open = async (query?: string) => load((await get(query).expect(200)).text);
type Page = Awaited<ReturnType<typeof open>>;

const texts = ($: Page, selector: string) =>
  $(selector)
    .map((_index, element) => $(element).text().replace(/\s+/g, " ").trim())
    .get();
const byName = sites.toSorted((a, b) => countryName(a).localeCompare(countryName(b), "en"));
const snippets = ($: Page, composer: string) => texts($, `code[id^="composer-${composer}-"]`);

describe("the overview", () => {
  it("is the home page of hosts that are no site's, where it is configured", async () => {
    // Only the demo has a home page of the shop.
    const home = await request(app).get("/").set("Host", "de.localhost").expect(404);
    expect(load(home.text)("#combinations")).toHaveLength(0);
    const { app: without } = await createTestApp({ overview: false });
    await request(without).get("/").set("Host", host).expect(404);
  });

  it.each([
    [{ "X-Forwarded-Proto": "https" }, `https://${host}`],
    [{ "X-Forwarded-Proto": "javascript", "X-Forwarded-Host": "][" }, "http://localhost:"],
  ])("names an HTTP origin, even if a proxy forwards something else: %o", async (forwarded, origin) => {
    const { app: behindProxy } = await createTestApp({ trustProxy: ["loopback"] });
    const answer = await request(behindProxy)
      .get("/")
      .set({ Host: host, ...forwarded });
    expect(snippets(load(answer.text), "client").at(-1)).toContain(`service: "${origin}`);
  });

  it("is hidden from robots, has no inline scripts and styles, and links to every shop", async () => {
    const { headers, text } = await get();
    const $ = load(text);
    expect($("meta[name=robots]").attr("content")).toBe("noindex");
    expect($("style, [style], script:not([src])")).toHaveLength(0);
    expect(headers["content-security-policy"]).toMatch(/frame-src 'self'/);
    for (const { origin, locale } of sites) expect($(`nav a[href="${origin}/"]`).attr("lang")).toBe(locale);
  });

  it("has all its texts", async () => {
    const pages = await Promise.all([open(), open("?site=XX"), open("?fragment=head"), open("?answer=error")]);
    for (const $ of pages) $('code[id^="composer-"]').remove();
    for (const $ of pages) expect($.html()).not.toMatch(/\{\{|undefined|\[object/);
    expect(logs.filter(({ msg }) => msg === "text missing")).toEqual([]);
  });
});

describe("the combinations", () => {
  it("show every country and state", async () => {
    const $ = await open();
    expect(texts($, "#combinations tbody th")).toEqual(
      byName.map(({ site, locale }) => expect.stringMatching(new RegExp(`^\\S.* ${site} · ${locale}$`))),
    );
    expect(texts($, "#combinations thead th")).toEqual([
      "Country site",
      "default",
      "reduced",
      "platform MATCH",
      "platform TABLET",
      "without newsletter",
      "preview",
      "links absolute",
      "assets none",
      "fallback",
      "wrong parameter",
    ]);
    const names = texts($, "#combinations td a");
    expect(new Set(names).size).toBe(sites.length * 10);
    expect(names).toContain("AT, reduced");
  });

  it("link to a page that marks the selected one alone", async () => {
    const $ = await open();
    const links = $("#combinations tbody tr:first-child a")
      .map((_index, link) => $(link).attr("href"))
      .get();
    for (const link of links) {
      const selected = await open(link.slice(1).replace(/#.*/, ""));
      const current = selected("#combinations td a[aria-current]");
      expect(current.map((_index, element) => selected(element).attr("href")).get()).toEqual([link]);
    }
  });
});

it("the form offers every parameter of the fragment's schema, labelled and with its value", async () => {
  const $ = await open("?site=CH_FR&platform=TABLET&newsletter=false");
  const controls = $(".sf-overview-form select").toArray();
  expect(Object.fromEntries(controls.map((select) => [$(select).attr("name"), $(select).val()]))).toEqual({
    fragment: "footer",
    site: "CH_FR",
    answer: "content",
    reduced: "false",
    platform: "TABLET",
    newsletter: "false",
    preview: "false",
    links: "relative",
    assets: "inline",
  });
  expect($(".sf-overview-form input[name=variant]").val()).toBe("");
  for (const control of controls) {
    expect($(`label[for="${$(control).attr("id")}"]`)).toHaveLength(1);
    expect($(`#${$(control).attr("aria-describedby")}`).text()).toMatch(/\S/);
  }
  expect(texts(await open("?fragment=head"), ".sf-overview-form label")).toEqual(["fragment", "site", "answer"]);
});

it.each([
  ["site", "?site=XX", "/fragments/footer?site=DE"],
  ["site", "?site=AT&site=DE", "/fragments/footer?site=DE"],
  ["fragment", "?fragment=../livez&site=AT", "/fragments/footer?site=AT"],
  ["platform", "?platform=PHONE&reduced=true", "/fragments/footer?site=DE&reduced=true"],
  ["reduced", "?reduced=true&reduced=false", "/fragments/footer?site=DE"],
  ["answer", "?answer=no&site=AT", "/fragments/footer?site=AT"],
])("a wrong selection of %s is reported and replaced by the default (%s)", async (name, query, path) => {
  const $ = await open(query);
  expect(texts($, ".sf-overview-notice li")).toEqual([expect.stringMatching(new RegExp(`^${name}:`))]);
  expect($("iframe").attr("src")).toBe(path);
});

it("the preview frames the selected answer, or explains why there is nothing to see", async () => {
  const $ = await open("?site=AT&reduced=true");
  const title = "footer for Österreich, reduced";
  expect($("iframe").attr()).toMatchObject({ src: "/fragments/footer?site=AT&reduced=true", title });
  expect((await open("?site=PL&answer=fallback"))("iframe").attr("src")).toBe("/fragments/footer/PL/fallback");
  for (const [query, reason] of [
    ["?site=AT&answer=error", /empty body/],
    ["?fragment=head", /contains only tags/],
  ] as const) {
    const page = await open(query);
    expect(page("iframe")).toHaveLength(0);
    expect(page(".sf-overview-nothing").text()).toMatch(reason);
  }
});

describe("the snippets", () => {
  const query = "?site=AT&reduced=true&platform=MATCH";
  const path = "/fragments/footer?site=AT&reduced=true&platform=MATCH";
  const at = countries.get("AT")?.origin;

  it.each([
    ["nginx", `<!--# include virtual="${path}" -->`],
    ["varnish", `<esi:include src="${path.replaceAll("&", "&amp;")}" onerror="continue"/>`],
    ["varnish", "set beresp.do_esi = true;"],
    ["podium", `http://${host}/fragments/footer/AT/manifest.json`],
    ["podium", 'const query = {"reduced":"true","platform":"MATCH"};'],
    ["podium", "const query = {};"],
    ["tailor", `<fragment src="http://${host}${path.replaceAll("&", "&amp;")}"></fragment>`],
    ["client", 'get("footer", "AT", {"reduced":true,"platform":"MATCH"}, visitor)'],
    ["worker", `<esi:include src="${path.replaceAll("&", "&amp;")}"/>`],
    ["browser", `const address = "${at}${path}";`],
  ])("for %s contain the fragment's public address", async (composer, code) => {
    expect(snippets(await open(query), composer).join("\n")).toContain(code);
  });

  it("name no site of another shop", async () => {
    const modules = snippets(await open(query), "podium").join("\n");
    expect(modules.match(/(?<=fragments\/footer\/)\w+/g)).toEqual(["AT", "AT", "AT"]);
  });

  it("say what the data of a fragment say that a page needs", async () => {
    const [php, address = "", policy, routes] = snippets(await open(query), "data");
    expect(php).toBe(`$footer = json_decode(file_get_contents("${address}"), true);`);
    expect(address).toBe(`http://${host}/fragments/footer/AT.json?reduced=true&platform=MATCH`);
    const { pathname, search } = new URL(address);
    const { body } = await request(app)
      .get(pathname + search)
      .expect(200);
    const directives = Object.entries<string[]>(body.contentSecurityPolicy);
    expect(policy).toBe(directives.map(([name, sources]) => `${name} ${sources.join(" ")};`).join(" "));
    expect(routes).toBe(body.routes.join(" "));
  });

  it("put the head fragment into the head", async () => {
    const $ = await open("?fragment=head&site=TR");
    expect(snippets($, "nginx")[0]).toBe('<!--# include virtual="/fragments/head?site=TR" -->');
    expect(texts($, "#composer-nginx-block-head-label")).toEqual(["In the page’s head"]);
  });

  it("begin with the line that includes a footer, before anything else of the page", async () => {
    const $ = await open("");
    expect(texts($, "main section[id]")[0]).toMatch(/^Include a fragment/);
    expect(texts($, "details[open] > figure code")).toEqual([
      expect.stringMatching(/^<!--# include virtual="[^"]+" -->$/),
    ]);
  });
});
