import request from "supertest";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { day, minute } from "../../../../client/rules/time.ts";
import { createEmbeddedPromotions } from "../../../../server/features/promotion/embedded/promotions.ts";
import { createPromotionUpstream } from "../../../../server/features/promotion/upstream.ts";
import { seedDemo } from "../../../support/seed-demo.ts";
import { json, type Stub, startStub, status } from "../../../support/start-stub.ts";
import { createTestApp, siteOf, sites, testLogger, texts } from "../../../support/test-app.ts";
import { openTestStore } from "../../../support/test-store.ts";

const germany = siteOf("DE");
const promotion = {
  headline: "Coffee weeks",
  text: "A tenth off every coffee.",
  link: { url: "/category/coffee", text: "Discover" },
};

describe("the embedded promotion service", async () => {
  const { db } = await openTestStore(testLogger);
  const promotions = createEmbeddedPromotions(db);
  const start = Date.UTC(2026, 0, 1);
  const groups = ["A", "B"].map((name, position) => ({ test: "colours", name, position }));
  await db.insertInto("abTest").values({ name: "colours", validFrom: 0, validTo: null }).execute();
  await db.insertInto("abTestGroup").values(groups).execute();

  beforeEach(async () => void (await db.deleteFrom("promotion").execute()));

  /** Adds a promotion of DE. */
  async function add(id: string, changes: object = {}) {
    const { headline, text, link } = { ...promotion, headline: id };
    await db
      .insertInto("promotion")
      .values({
        id,
        key: "SHOP_FOOTER",
        site: "DE",
        headline,
        text,
        linkUrl: link.url,
        linkText: link.text,
        validFrom: start,
        validTo: null,
        test: null,
        testGroup: null,
        ...changes,
      })
      .execute();
  }

  const headline = async (at: number, group?: string, site = germany) => {
    const selection = group === undefined ? {} : { selection: { test: "colours", group } };
    return (await promotions.previewed(site, { at, cookie: "", ...selection }))?.headline;
  };

  it("finds the promotion of a place and site with all its content", async () => {
    await add(promotion.headline);
    await add("elsewhere", { key: "SHOP_HEADER", validFrom: start + day });
    expect(await promotions.previewed(germany, { at: start + day, cookie: "" })).toEqual(promotion);
    expect(await headline(start + day, undefined, siteOf("AT"))).toBeUndefined();
  });

  it("prefers the promotion that started last, from its first moment to its last", async () => {
    await add("Always");
    await add("Season", { validFrom: start + day, validTo: start + 2 * day });
    const times = [start - 1, start, start + day - 1, start + day, start + 2 * day - 1, start + 2 * day];
    expect(await Promise.all(times.map((at) => headline(at)))).toEqual([
      undefined,
      ...["Always", "Always", "Season", "Season", "Always"],
    ]);
  });

  it("prefers the promotion for the selected group", async () => {
    await add("Everybody", { validFrom: start + day });
    await add("Group B", { test: "colours", testGroup: "B" });
    const found = [undefined, "A", "B"].map((group) => headline(start + 2 * day, group));
    expect(await Promise.all(found)).toEqual(["Everybody", "Everybody", "Group B"]);
    expect(await headline(start, "A")).toBeUndefined();
  });

  describe("as a plan", () => {
    async function planAt(at: number) {
      vi.useFakeTimers({ toFake: ["Date"], now: at });
      onTestFinished(() => void vi.useRealTimers());
      const plan = await promotions.planned(germany);
      return plan.map(({ from, promotion }) => [(from - at) / minute, promotion?.headline]);
    }

    it("lists the current promotion and each change of the next hour", async () => {
      await add("Season", { validTo: start + 3 * day });
      await add("Weekend", { validFrom: start + day, validTo: start + day + 30 * minute });
      await add("Late", { validFrom: start + day + 61 * minute });
      expect(await planAt(start + day - 10 * minute)).toEqual([
        [0, "Season"],
        [10, "Weekend"],
        [40, "Season"],
      ]);
      expect(await planAt(start + day + minute)).toEqual([
        [0, "Weekend"],
        [29, "Season"],
        [60, "Late"],
      ]);
      expect(await planAt(start - day)).toEqual([[0, undefined]]);
    });

    it("leaves out changes without effect", async () => {
      await add("Later one", { validFrom: start + day, validTo: start + 3 * day });
      await add("Earlier one", { validTo: start + day + 10 * minute });
      await add("Tested", { validFrom: start + day + 5 * minute, test: "colours", testGroup: "A" });
      expect(await planAt(start + day)).toEqual([[0, "Later one"]]);
    });
  });
});

describe("the demo's promotions", async () => {
  const store = await openTestStore(testLogger);
  await seedDemo({ db: store.db, sites: [{ ...germany, site: "XX", locale: "xx-XX" }, ...sites], texts });
  const seasons = [Date.parse("2027-07-01T12:00:00Z"), Date.parse("2026-12-24T12:00:00Z")];

  it.each(sites)("differ by group and season in $site", async (site) => {
    const { previewed } = createEmbeddedPromotions(store.db);
    const find = (at: number, group: string) =>
      previewed(site, { at, cookie: "", selection: { test: "footer-promotion", group } });
    const found = await Promise.all(seasons.flatMap((at) => [find(at, "A"), find(at, "B")]));
    const text = texts.translator(site.locale, "demo");
    expect(found.map((one) => [one?.headline, one?.text, one?.link.text])).toEqual(
      (["coffee", "living", "gifts", "coffeeGifts"] as const).map((name) => [
        text(`${name}.headline`),
        text(`${name}.text`),
        text(`${name}.link`),
      ]),
    );
    expect(new Set(found.map((one) => one?.headline)).size).toBe(4);
    for (const one of found) expect(JSON.stringify(site.footer)).toContain(`"${one?.link.url}"`);
    expect(await find(Date.parse("2019-12-31T23:59:59Z"), "B")).toBeUndefined();
  });

  it("are added once, leave changed rows alone, and skip a site without texts for them", async () => {
    await store.db.updateTable("promotion").set({ headline: "Changed" }).where("site", "=", "TR").execute();
    const rows = () => store.db.selectFrom("promotion").selectAll().orderBy("id").execute();
    const before = await rows();
    const demo = { db: store.db, sites, texts };
    await Promise.all([seedDemo(demo), seedDemo(demo)]);
    expect(await rows()).toEqual(before);
    // From 2026 to the next year.
    const festiveSeasons = new Date().getUTCFullYear() + 2 - 2026;
    expect(before).toHaveLength((2 + 2 * festiveSeasons) * sites.length);
  });
});

describe("a call for a promotion", async () => {
  const path = "/service/promotion/api/promotion";
  const { app, deps } = await createTestApp();

  /** The sites that are answered with the promotion of either season. Each locale has its own texts. */
  async function siteAnswered(query: string, headers: Record<string, string> = {}, from = app) {
    const { body } = await request(from).get(`${path}/SHOP_FOOTER${query}`).set(headers).expect(200);
    const { headline } = JSON.parse(body.contentJSON);
    const isOf = (locale: string) =>
      (["coffee.headline", "gifts.headline"] as const).some(
        (key) => texts.translator(locale, "demo")(key) === headline,
      );
    return sites.filter(({ locale }) => isOf(locale)).map(({ site }) => site);
  }

  it("is answered with JSON in JSON, uncached", async () => {
    const { body, headers } = await request(app).get(`${path}/SHOP_FOOTER?site=DE`).expect(200);
    expect(Object.keys(body)).toEqual(["contentJSON"]);
    expect(JSON.parse(body.contentJSON)).toEqual({
      headline: expect.stringMatching(/\S/),
      text: expect.stringMatching(/\S/),
      link: { url: expect.stringMatching(/^\/category\//), text: expect.stringMatching(/\S/) },
    });
    expect(headers).toMatchObject({ "content-type": "application/json; charset=utf-8", "cache-control": "no-store" });
  });

  it("is for the site of the query, the header or the host, in this order, or the default site", async () => {
    expect(await siteAnswered("?site=CZ", { "X-Site": "PL", Host: "tr.localhost" })).toEqual(["CZ"]);
    expect(await siteAnswered("", { "X-Site": "CZ", Host: "pl.localhost" })).toEqual(["CZ"]);
    expect(await siteAnswered("", { Host: "cz.localhost" })).toEqual(["CZ"]);
    const { app: turkish } = await createTestApp({ defaultSite: "TR" });
    expect(await siteAnswered("", { Host: "192.0.2.7" }, turkish)).toEqual(["TR"]);
  });

  it("is for the named group of an active A/B test, otherwise for everybody", async () => {
    const { db } = deps.store;
    await db.insertInto("abTest").values({ name: "ended", validFrom: 0, validTo: 1 }).execute();
    await db.insertInto("abTestGroup").values({ test: "ended", name: "A", position: 0 }).execute();
    const [row] = await db.selectFrom("promotion").selectAll().where("site", "=", "DE").limit(1).execute();
    const ofEnded = { id: "ended", headline: "Ended", validTo: null, test: "ended", testGroup: "A" };
    if (row)
      await db
        .insertInto("promotion")
        .values({ ...row, ...ofEnded })
        .execute();
    const headline = async (query: string) => {
      const { body } = await request(app).get(`${path}/SHOP_FOOTER?site=DE${query}`).expect(200);
      return JSON.parse(body.contentJSON).headline;
    };
    const everybody = await headline("");
    expect(await headline("&test=footer-promotion&group=B")).not.toBe(everybody);
    expect(await headline("&test=ended&group=A")).toBe(everybody);
  });

  it.each(["SHOP_HEADER", "shop_footer", "x".repeat(65), "SHOP_FOOTER%00", "%27--", "a.b"])(
    "for %s is answered 404",
    async (key) => {
      const { body } = await request(app).get(`${path}/${key}`).expect(404);
      expect(body).toEqual({ type: "NOT_FOUND", title: "no such promotion", status: 404 });
    },
  );
});

describe("the real promotion service", () => {
  const content = (value: unknown) => json(JSON.stringify({ contentJSON: JSON.stringify(value) }));
  const linkTo = (url: string) => content({ ...promotion, link: { url, text: "Discover" } });
  const find = async (stub: Stub) => (await createPromotionUpstream(stub).planned(germany))[0]?.promotion;

  it("is asked for the promotion of a site, and for the one that staff preview with their cookies", async () => {
    const stub = await startStub(content(promotion));
    const { planned, previewed } = createPromotionUpstream(stub);
    expect(await planned(germany)).toEqual([{ from: -Infinity, promotion }]);
    expect(await previewed(siteOf("AT"), { at: 0, cookie: "StaffAuthToken=a; PreviewContext=b" })).toEqual(promotion);
    expect(stub.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(
      Array(2).fill("GET /service/promotion/api/promotion/SHOP_FOOTER"),
    );
    expect(stub.requests.map(({ headers }) => [headers["x-site"], headers.cookie])).toEqual([
      ["DE", undefined],
      ["AT", "StaffAuthToken=a; PreviewContext=b"],
    ]);
  });

  it("answers 404 when it promotes nothing", async () => {
    expect(await find(await startStub(status(404)))).toBeUndefined();
  });

  it("may answer more than we know", async () => {
    const more = { ...promotion, teaser: 1, link: { ...promotion.link, rel: "nofollow" } };
    const stub = await startStub(json(JSON.stringify({ contentJSON: JSON.stringify(more), id: 7 })));
    expect(await find(stub)).toEqual(promotion);
  });

  it.each(["/", "/category/coffee?a=b#c", "http://shop.example", "https://shop.example/äöü"])(
    "may link to %s",
    async (url) => {
      expect((await find(await startStub(linkTo(url))))?.link.url).toBe(url);
    },
  );

  it.each([
    ...["javascript:alert(1)", " javascript:alert(1)", "java\tscript:alert(1)", "data:text/html,x", "//evil.example"],
    ...["/\\evil.example", "/\t/evil.example", "http:///evil.example", "https:evil.example", "category/coffee", ""],
    ...["/\0", "/\x7f", "/\ud800"],
  ])("may not link to %j", async (url) => {
    await expect(find(await startStub(linkTo(url)))).rejects.toThrow(
      /^upstream promotion: contentJSON: \/link\/url must /,
    );
  });

  it.each([
    ["no content", json("{}"), "answer: /contentJSON is missing"],
    ["content that isn't valid JSON", json('{"contentJSON":"secret body"}'), "contentJSON isn't valid JSON"],
    [
      "several faults",
      content({ ...promotion, text: "a".repeat(501), link: {} }),
      "contentJSON: /text must NOT have more than 500 characters; /link/url is missing; /link/text is missing",
    ],
  ])("answering %s is a fault that names nothing of the answer", async (_what, answer, fault) => {
    await expect(find(await startStub(answer))).rejects.toMatchObject({
      name: "UpstreamError",
      message: `upstream promotion: ${fault}`,
    });
  });
});
