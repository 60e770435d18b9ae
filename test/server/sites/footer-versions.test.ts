import { type CheerioAPI, load } from "cheerio";
import request from "supertest";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { day } from "../../../client/rules/time.ts";
import germany from "../../../countries/de.ts";
import type { Footer } from "../../../schemas/types.ts";
import { readCountries } from "../../../server/sites/countries.ts";
import { footerAt, footerChanges } from "../../../server/sites/footer-versions.ts";
import { documentAround, markupFaults } from "../../support/markup-faults.ts";
import { choose, header, signIn } from "../../support/preview-test.ts";
import { createTestApp, drawings, sites, type TestChanges, texts } from "../../support/test-app.ts";
import { createTestLog } from "../../support/test-log.ts";
import { writeShop } from "../../support/write-shop.ts";

const start = "2027-03-01T00:00:00+01:00";
const end = "2027-04-01T00:00:00+02:00";
const dates = { validFrom: start, validTo: end };
const moments = {
  before: Date.parse(start) - 1,
  first: Date.parse(start),
  last: Date.parse(end) - 1,
  after: Date.parse(end),
};
const dutyStarts = Date.parse("2026-12-30T00:00:00+01:00");

const { app, deps } = await createTestApp({ trustProxy: ["loopback"] });
const german: Footer = structuredClone<Footer>(germany.footer);
const withLegalLink = {
  legalLinks: [...german.legalLinks, { url: "/service/recall", text: "legal.complaints", ...dates }],
} satisfies Partial<Footer>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: moments.before });
  onTestFinished(() => void vi.useRealTimers());
});

/** An app with Germany only, and some parts of its footer replaced. It returns its footer at a moment. */
async function createDatedApp(changes: Partial<Footer>, deps: TestChanges = {}) {
  const folder = await writeShop({ "de.json": { ...germany, footer: { ...german, ...changes } } });
  const { countries } = await readCountries({ folder, drawings, texts, localPort: 3000 });
  const { app, service } = await createTestApp({ countries, ...deps });
  const get = (path: string, at: number) => {
    vi.setSystemTime(at);
    return request(app).get(path);
  };
  const footer = (at: number, query = "") => get(`/fragments/footer?site=DE${query}`, at);
  const show = async (at: number) => load((await footer(at).expect(200)).text, null, false);
  return { service, get, footer, show };
}

const sectionsOf = ($: CheerioAPI) =>
  $("[data-section]")
    .map((_index, section) => $(section).attr("data-section"))
    .get();

/** Finds elements with nothing to read or to look at. */
const emptiesOf = ($: CheerioAPI) =>
  $("ul, li, nav, section, p, :header")
    .filter((_index, element) => $(element).text().trim() === "" && $(element).find("img").length === 0)
    .map((_index, element) => $.html(element))
    .get();

describe("a dated link", () => {
  it("appears and disappears in time, with a new ETag each time, and is stored until then at most", async () => {
    const { footer } = await createDatedApp(withLegalLink);
    const answers = [];
    for (const at of Object.values(moments)) answers.push(await footer(at).expect(200));
    expect(answers.map(({ text }) => text.includes("/service/recall"))).toEqual([false, true, true, false]);
    const lifetimes = answers.map(({ headers }) => /max-age=\d+/.exec(String(headers["cache-control"]))?.[0]);
    expect(lifetimes).toEqual(["max-age=0", "max-age=60", "max-age=0", "max-age=60"]);
    const [before, first, last, after] = answers.map(({ headers }) => headers.etag);
    expect(last).toBe(first);
    expect(new Set([before, first, after]).size).toBe(3);
    await footer(moments.last).set("If-None-Match", String(first)).expect(304);
    await footer(moments.after).set("If-None-Match", String(first)).expect(200);
  });
});

it("the fallback has valid entries only, without a restart", async () => {
  const renderElement = async () => Promise.reject(new Error("planted failure"));
  const { footer, get } = await createDatedApp(withLegalLink, { renderElement });
  for (const [at, isShown, lifetime] of [
    [moments.before, false, 0],
    [moments.first, true, 60],
    [moments.last, true, 0],
    [moments.after, false, 60],
  ] as const) {
    const failed = await footer(at).expect("X-Fragment-State", "fallback");
    expect(failed.text.includes("/service/recall")).toBe(isShown);
    const { text, headers } = await get("/fragments/footer/DE/fallback", at);
    expect([text, headers["cache-control"]]).toEqual([
      failed.text,
      expect.stringMatching(new RegExp(`^public, max-age=${lifetime},`)),
    ]);
  }
});

/** The footer with a change to each list of entries that may have dates. */
function everywhere(change: <Entry extends object>(entries: Entry[]) => Entry[]): Partial<Footer> {
  const { teaser, seo, socialMedia, appReferences, qualityLogos } = german;
  const groups = teaser.groups.map((group) => ({
    ...group,
    links: change(group.links),
    images: change(group.images),
  }));
  return {
    teaser: { groups },
    seo: { ...seo, columns: seo.columns.map(change) },
    socialMedia: { ...socialMedia, socialMediaIcons: change(socialMedia.socialMediaIcons) },
    appReferences: { ...appReferences, appIcons: change(appReferences.appIcons) },
    qualityLogos: { ...qualityLogos, logos: change(qualityLogos.logos) },
  };
}

describe("each kind of entry", () => {
  it("appears and disappears", async () => {
    const notice = (url: string, validity: object) => ({
      textBeforeLink: "salesTax.before",
      link: { url, text: "salesTax.link" },
      ...validity,
    });
    const { show } = await createDatedApp({
      ...everywhere((entries) =>
        entries.map((entry, index) => (index === entries.length - 1 ? { ...entry, ...dates } : entry)),
      ),
      salesTax: [notice("/old", { validTo: start }), notice("/new", dates)],
    });
    const counted = [];
    const notices = [];
    for (const at of Object.values(moments)) {
      const $ = await show(at);
      const parts = ["teasers] li", "seo] li", "social] li", "apps] li", "payment] img", "quality] img"];
      counted.push(parts.map((part) => $(`[data-section=${part}`).length));
      notices.push($("[data-section=sales-tax] a").attr("href"));
    }
    const { teaser, seo } = german;
    const groups = teaser.groups.filter(({ images }) => images.length > 0);
    const dated = [teaser.groups.length, seo.columns.length, 1, 1, groups.length, 1];
    const [before, first] = counted;
    expect(first?.map((count, part) => count - (before?.[part] ?? 0))).toEqual(dated);
    expect(counted).toEqual([before, first, first, before]);
    expect(notices).toEqual(["/old", "/new", "/new", undefined]);
  });

  it("leaves no empty heading, list or section behind", async () => {
    const gone = <Entry extends object>(entries: Entry[]) => entries.map((entry) => ({ ...entry, validTo: start }));
    const empty = await (
      await createDatedApp({
        ...everywhere(gone),
        legalLinks: german.legalLinks.map((link) => (link.consent ? link : { ...link, validTo: start })),
        salesTax: gone([german.salesTax].flat()),
      })
    ).show(moments.first);
    expect(sectionsOf(empty)).toEqual(["newsletter", "legal", "view-changer", "country-switcher"]);
    expect(empty("[data-section=legal] a").attr("data-consent")).toBe("true");
    expect(emptiesOf(empty)).toEqual([]);
  });
});

describe("the changes of a footer", () => {
  const text = texts.translator("de", "footer", germany.facts);

  it("are named by their texts, in the order of time", () => {
    const changes = footerChanges(
      {
        ...german,
        legalLinks: [
          ...withLegalLink.legalLinks,
          { url: "/early", text: "legal.terms", validTo: "2027-01-01T00:00:00Z" },
        ],
        qualityLogos: {
          heading: "quality.heading",
          logos: [{ image: { label: "Seal", source: "green", width: 80, height: 80 }, validTo: start }],
        },
        salesTax: [{ textBeforeLink: "salesTax.before", link: { url: "/tax", text: "salesTax.link" }, validFrom: end }],
      },
      text,
    );
    expect(changes).toEqual([
      { at: dutyStarts, name: text("legal.deforestation"), change: "starts" },
      { at: Date.parse("2027-01-01T00:00:00Z"), name: text("legal.terms"), change: "ends" },
      { at: moments.first, name: text("legal.complaints"), change: "starts" },
      { at: moments.first, name: "Seal", change: "ends" },
      { at: moments.after, name: text("legal.complaints"), change: "ends" },
      { at: moments.after, name: `${text("salesTax.before")} ${text("salesTax.link")}`, change: "starts" },
    ]);
  });
});

it("names entries that have ended in one warning, at the start and once a day", async () => {
  const { logger, lines } = createTestLog();
  const warnings = () => lines.filter(({ level }) => level === 40).map(({ entries }) => entries);
  const noSeals = { qualityLogos: { ...german.qualityLogos, logos: [] } };
  const { service } = await createDatedApp({ ...withLegalLink, ...noSeals }, { logger });
  vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"], now: moments.last });
  for (const job of service.footer.jobs ?? []) {
    onTestFinished(job.close);
    await job.start();
  }
  expect(warnings()).toEqual([]);
  vi.advanceTimersByTime(day);
  const named = { site: "DE", entry: "legal.complaints", ended: "2027-04-01T00:00:00+02:00" };
  expect(warnings()).toEqual([[named]]);
  vi.advanceTimersByTime(2 * day);
  expect(warnings()).toEqual([[named], [named], [named]]);
});

it("staff see the entries of the time that they preview, and shoppers those of today", async () => {
  vi.setSystemTime(dutyStarts - 1);
  const hasReport = async (jar = {}) =>
    (await request(app).get("/fragments/footer?site=DE").set("Cookie", header(jar)).expect(200)).text.includes(
      "/service/deforestation-free",
    );
  const staff = await choose(app, await signIn(app, deps.store.db), new Date(dutyStarts).toISOString());
  expect([await hasReport(), await hasReport(staff), await hasReport()]).toEqual([false, true, false]);
});

it("the footer of every site is complete and valid after each change", async () => {
  for (const { site, footer, footerStarts } of sites) {
    for (const at of footerStarts.filter(Number.isFinite)) {
      vi.setSystemTime(at);
      const { text } = await request(app)
        .get(`/fragments/footer?site=${site}`)
        .expect(200)
        .expect("X-Fragment-State", "fresh");
      const $ = load(text, null, false);
      const { legalLinks, qualityLogos } = footerAt(footer, at);
      expect($("[data-section=legal] a"), site).toHaveLength(legalLinks.length);
      expect($("[data-section=quality] img"), site).toHaveLength(qualityLogos.logos.length);
      expect(emptiesOf($), site).toEqual([]);
      expect(markupFaults(documentAround(text)), site).toEqual([]);
    }
  }
});
