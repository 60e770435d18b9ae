import { load } from "cheerio";
import request from "supertest";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Promotion } from "../../../../schemas/types.ts";
import { createPromotions } from "../../../../server/features/footer/promotions.ts";
import type { PlannedPromotion, PromotionService } from "../../../../server/features/promotion/service.ts";
import { createPromotionUpstream } from "../../../../server/features/promotion/upstream.ts";
import type { Site } from "../../../../server/sites/countries.ts";
import { createUpstreamHealthLog } from "../../../../server/upstream/upstream.ts";
import { hang, json, startStub, status } from "../../../support/start-stub.ts";
import { createTestApp, siteOf, sites, testLogger } from "../../../support/test-app.ts";
import { createTestLog } from "../../../support/test-log.ts";

const coffee: Promotion = {
  headline: "Coffee weeks",
  text: "A tenth off every coffee.",
  link: { url: "/category/coffee", text: "Discover" },
};
const fashion: Promotion = { ...coffee, headline: "Fashion days" };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
});

type FindPromotion = (site: Site) => Promise<Promotion | undefined>;

/** A service that knows nothing of later promotions. */
const serviceOf = (find: FindPromotion): PromotionService => ({
  planned: async (site) => [{ from: -Infinity, promotion: await find(site) }],
  previewed: find,
});

/** The app with a promotion that the test changes, and the keeper's timer. */
const createPromotedApp = (find: FindPromotion, renderCache = true) =>
  createServedApp(serviceOf(find), testLogger, renderCache);

async function createServedApp(service: PromotionService, logger = testLogger, renderCache = true) {
  const promotions = createPromotions(sites, service, logger);
  await promotions.start();
  onTestFinished(promotions.close);
  const { app } = await createTestApp({ promotions, renderCache });
  const footer = (site = "DE", query = "") => request(app).get(`/fragments/footer?site=${site}${query}`);
  return { app, promotions, footer };
}

describe("the footer's promotion", () => {
  it("is the first section of its own site's footer, and of no other's", async () => {
    const { footer } = await createPromotedApp(async ({ site }) => (site === "AT" ? coffee : undefined));
    const first = load((await footer("AT")).text)("[data-section]").first();
    expect(first.attr("data-section")).toBe("promotion");
    expect(first.find("h3").text()).toBe(coffee.headline);
    expect(first.find("p").text()).toBe(coffee.text);
    expect(first.find("a").attr()).toEqual({ class: "sf-promotion-link", href: coffee.link.url });
    expect((await footer("DE")).text).not.toContain("promotion");
  });

  it("is shown exactly as written, because it has no placeholders", async () => {
    const letters = "{{phone}} {{- x}} {{constructor.name}} $t(legal.heading) {count, number} <b>&amp;</b>";
    const link = { url: "/category/coffee", text: `Go ${letters}`.slice(0, 80) };
    const { footer } = await createPromotedApp(async () => ({ headline: letters, text: letters, link }));
    const shown = load((await footer()).text)('[data-section="promotion"]');
    const texts = ["h3", "p", "a"].map((part) => shown.find(part).text());
    expect(texts).toEqual([letters, letters, link.text]);
  });

  it("opens other sites in a new tab, and announces it", async () => {
    const link = { url: "https://partner.example/coffee", text: "Discover" };
    const { footer } = await createPromotedApp(async () => ({ ...coffee, link }));
    const anchor = load((await footer("TR")).text)('[data-section="promotion"] a');
    expect(anchor.attr()).toMatchObject({ href: link.url, target: "_blank", rel: "noopener noreferrer" });
    expect(anchor.text()).toMatch(/^Discover \(.+\)$/);
  });

  it("stays in the reduced footer, and out of the fallback", async () => {
    const { app, footer } = await createPromotedApp(async () => coffee);
    expect((await footer("DE", "&reduced=true")).text).toContain(coffee.headline);
    expect((await request(app).get("/fragments/footer/DE/fallback")).text).not.toContain("promotion");
  });
});

describe("a changed promotion", () => {
  it.each([true, false])("is seen after the next refresh, with a new ETag (cache %s)", async (renderCache) => {
    let promotion: Promotion | undefined = coffee;
    const { footer } = await createPromotedApp(async () => promotion, renderCache);
    const before = await footer();
    promotion = fashion;
    expect((await footer()).headers.etag).toBe(before.headers.etag);
    await vi.advanceTimersByTimeAsync(20_000);
    const after = await footer().set("If-None-Match", String(before.headers.etag));
    expect(after.status).toBe(200);
    expect(after.text).toContain(fashion.headline);
    promotion = undefined;
    await vi.advanceTimersByTimeAsync(20_000);
    expect((await footer()).text).not.toContain("promotion");
  });

  it("is fetched every 20 s until the service stops, also by a call that ends later", async () => {
    const find = vi.fn<FindPromotion>(async () => undefined);
    const promotions = createPromotions(sites, serviceOf(find), testLogger);
    await promotions.start();
    await vi.advanceTimersByTimeAsync(100_000);
    expect(find).toHaveBeenCalledTimes(6 * sites.length);
    const answer = Promise.withResolvers<undefined>();
    find.mockReturnValue(answer.promise);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(find).toHaveBeenCalledTimes(7 * sites.length);
    void promotions.close();
    answer.resolve(undefined);
    await vi.advanceTimersByTimeAsync(100_000);
    expect(find).toHaveBeenCalledTimes(7 * sites.length);
  });
});

describe("a promotion that is known to start later", () => {
  const noon = Date.UTC(2027, 2, 1, 12);

  it("is in the footer from its first moment on, without a call", async () => {
    vi.useFakeTimers({ toFake: ["Date", "performance", "setTimeout", "clearTimeout"], now: noon - 10_000 });
    const planned = vi.fn<PromotionService["planned"]>(async () => [
      { from: -Infinity, promotion: coffee },
      { from: noon, promotion: fashion },
      { from: noon + 100_000, promotion: undefined },
    ]);
    const { footer } = await createServedApp({ planned, previewed: async () => undefined });
    const shownAt = async (at: number) => {
      vi.setSystemTime(at);
      // Answers are also cached by host, which has another port each time.
      const { text, headers } = await footer().set("Host", "de.localhost");
      const [, name] = /(Coffee weeks|Fashion days)/.exec(text) ?? [];
      return [name, /s-maxage=.*while-revalidate=\d+/.exec(headers["cache-control"] ?? "")?.[0]];
    };
    const shown = (seconds: number) => `s-maxage=${seconds}, stale-while-revalidate=0`;
    for (const [at, name, seconds] of [
      [noon - 10_000, coffee.headline, 10],
      [noon - 9_000, coffee.headline, 9],
      [noon - 8_500, coffee.headline, 8],
      [noon - 1, coffee.headline, 0],
      [noon, fashion.headline, 100],
      [noon + 1, fashion.headline, 99],
      [noon + 99_999, fashion.headline, 0],
    ] as const)
      expect(await shownAt(at)).toEqual([name, shown(seconds)]);
    expect(await shownAt(noon + 100_000)).toEqual([undefined, "s-maxage=300, stale-while-revalidate=600"]);
    expect(planned).toHaveBeenCalledTimes(sites.length);
  });
});

describe("an edge purge", () => {
  const noon = Date.UTC(2027, 2, 1, 12);
  const always = (promotion: Promotion | undefined) => [{ from: -Infinity, promotion }];
  const then = (promotion: Promotion | undefined, minutes: number) => ({ from: noon + minutes * 60_000, promotion });

  /** Counts the purges for a series of answers of the promotion service. */
  async function purgedBy(...plans: PlannedPromotion[][]) {
    vi.useFakeTimers({ toFake: ["Date", "performance", "setTimeout", "clearTimeout"], now: noon });
    const purge = vi.fn(async (_key: string) => undefined);
    const planned = vi.fn<PromotionService["planned"]>(async () => plans[0] ?? []);
    const service = { planned, previewed: async () => undefined };
    const promotions = createPromotions(sites.slice(0, 1), service, testLogger, purge);
    await promotions.start();
    for (const plan of plans.slice(1)) {
      planned.mockResolvedValue(plan);
      await vi.advanceTimersByTimeAsync(20_000);
    }
    await promotions.close();
    return purge.mock.calls.length;
  }

  it("is queued for an unforeseen promotion or an earlier change", async () => {
    expect(await purgedBy(always(coffee), always(fashion))).toBe(1);
    expect(await purgedBy(always(undefined), always(coffee), always(coffee), always(undefined))).toBe(2);
    expect(await purgedBy(always(coffee), [...always(coffee), then(fashion, 10)])).toBe(1);
    expect(await purgedBy([...always(coffee), then(fashion, 10)], [...always(coffee), then(fashion, 5)])).toBe(1);
  });

  it("isn't queued for a foreseen change", async () => {
    expect(await purgedBy(always(coffee), always({ ...coffee }))).toBe(0);
    expect(await purgedBy([...always(coffee), then(fashion, 0.1)], always(fashion))).toBe(0);
    expect(await purgedBy(always(coffee), [...always(coffee), then(fashion, 40)])).toBe(0);
    expect(await purgedBy([...always(coffee), then(fashion, 5)], [...always(coffee), then(fashion, 10)])).toBe(0);
  });

  it("is queued later when the store fails", async () => {
    const purge = vi.fn(async (_key: string) => undefined).mockRejectedValueOnce(new Error("planted failure"));
    let promotion = coffee;
    const service = serviceOf(async () => promotion);
    const promotions = createPromotions(sites.slice(0, 1), service, testLogger, purge);
    await promotions.start();
    onTestFinished(promotions.close);
    promotion = fashion;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(purge.mock.calls).toEqual([[`country-${sites[0]?.site}`], [`country-${sites[0]?.site}`]]);
  });
});

describe("a failed call", () => {
  it("leaves the normal footer without promotion, and logs one warning for all sites", async () => {
    const { logger, lines } = createTestLog();
    const stub = await startStub(status(500));
    const service = createPromotionUpstream({ ...stub, outage: createUpstreamHealthLog("promotion", logger) });
    const { footer } = await createServedApp(service, logger);
    const { headers, text } = await footer();
    expect(headers["x-fragment-state"]).toBe("fresh");
    expect(text).toContain('data-section="teasers"');
    expect(text).not.toContain("promotion");
    expect(stub.requests).toHaveLength(sites.length);
    const warning = { upstream: "promotion", site: sites[0]?.site, reason: "status 500", msg: "upstream failed" };
    expect(lines).toEqual([{ level: 40, time: expect.any(String), requestId: expect.any(String), ...warning }]);
  });

  it("with an invalid answer logs a warning with site and reason, and a line on recovery", async () => {
    const { logger, lines } = createTestLog();
    let contentJSON = '{"secret": 1}';
    const stub = await startStub((_request, response) => response.end(JSON.stringify({ contentJSON })));
    const [site] = sites;
    const promotions = createPromotions(sites.slice(0, 1), createPromotionUpstream(stub), logger);
    await promotions.start();
    onTestFinished(promotions.close);
    contentJSON = JSON.stringify(coffee);
    await vi.advanceTimersByTimeAsync(2_000);
    await vi.waitUntil(() => lines.length === 2);
    expect(lines).toMatchObject([
      { level: 40, site: site?.site, reason: expect.stringContaining("contentJSON: /headline is missing") },
      { level: 30, site: site?.site, failures: 1, msg: "promotions recovered" },
    ]);
    expect(JSON.stringify(lines)).not.toContain("secret");
  });

  it.each([
    ["in the log of the service", status(500)],
    ["in that of promotions", json('{"contentJSON":"{}"}')],
  ])("of one site among others is one outage with one recovery, both of which name it: %s", async (_where, failing) => {
    const { logger, lines } = createTestLog();
    let isFailing = true;
    const stub = await startStub((incoming, response) => {
      const answer = isFailing && incoming.headers["x-site"] === "TR" ? failing : status(404);
      answer(incoming, response);
    });
    const upstream = { ...stub, outage: createUpstreamHealthLog("promotion", logger) };
    const promotions = createPromotions(sites, createPromotionUpstream(upstream), logger);
    await promotions.start();
    onTestFinished(promotions.close);
    const timesAsked = (code: string) => stub.requests.filter(({ headers }) => headers["x-site"] === code).length;
    for (let round = 0; round < 3; round++) {
      const before = timesAsked("DE");
      await vi.advanceTimersByTimeAsync(20_000);
      await vi.waitUntil(() => timesAsked("DE") > before);
    }
    expect(timesAsked("TR")).toBeGreaterThan(2);
    expect(lines).toHaveLength(1);
    isFailing = false;
    await vi.advanceTimersByTimeAsync(2_000);
    await vi.waitUntil(() => lines.length > 1);
    expect(lines).toMatchObject([
      { level: 40, site: "TR" },
      { level: 30, site: "TR" },
    ]);
    expect(lines).toHaveLength(2);
  });

  it("keeps the last promotion for 50 s, then drops it until the next answer", async () => {
    let fail = false;
    const { footer } = await createPromotedApp(async () => {
      if (fail) throw new Error("planted failure");
      return coffee;
    });
    fail = true;
    await vi.advanceTimersByTimeAsync(49_000);
    expect((await footer()).text).toContain(coffee.headline);
    await vi.advanceTimersByTimeAsync(1_000);
    const without = await footer();
    expect(without.text).not.toContain("promotion");
    expect(without.headers["x-fragment-state"]).toBe("fresh");
    fail = false;
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await footer()).text).toContain(coffee.headline);
  });

  it("is retried within 2 s, for its site alone", async () => {
    let fail = false;
    const find = vi.fn<FindPromotion>(async ({ site }) => {
      if (fail && site === "DE") throw new Error("planted failure");
      return fail ? fashion : coffee;
    });
    const { footer } = await createPromotedApp(find);
    fail = true;
    await vi.advanceTimersByTimeAsync(20_000);
    find.mockClear();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(find.mock.calls.every(([{ site }]) => site === "DE")).toBe(true);
    expect(find.mock.calls.length).toBeGreaterThanOrEqual(5);
    expect(find.mock.calls.length).toBeLessThanOrEqual(10);
    find.mockResolvedValue(fashion);
    await vi.advanceTimersByTimeAsync(2_000);
    expect((await footer()).text).toContain(fashion.headline);
  });

  it("leaves staff with a footer without the promotion that they preview", async () => {
    const previewed = async () => Promise.reject(new Error("planted failure"));
    const { logger, lines } = createTestLog();
    const promotions = createPromotions(sites, { planned: async () => [], previewed }, logger);
    expect(await promotions.previewed(siteOf("DE"), { at: 0, cookie: "" })).toBeUndefined();
    expect(lines).toMatchObject([{ level: 40, site: "DE", msg: "previewed promotion unavailable" }]);
  });

  it("of staff is one warning", async () => {
    const { logger, lines } = createTestLog();
    const stub = { ...(await startStub(status(500))), outage: createUpstreamHealthLog("promotion", logger) };
    const promotions = createPromotions(sites, createPromotionUpstream(stub), logger);
    expect(await promotions.previewed(siteOf("DE"), { at: 0, cookie: "" })).toBeUndefined();
    expect(lines).toMatchObject([{ level: 40, reason: "status 500", msg: "upstream failed" }]);
  });

  it("delays the start by its deadline at most, and no footer", async () => {
    vi.useRealTimers();
    const stub = await startStub(hang);
    const started = performance.now();
    const { footer } = await createServedApp(createPromotionUpstream(stub));
    expect(performance.now() - started).toBeLessThan(4_000);
    await vi.waitFor(() => expect(stub.requests.length).toBeGreaterThan(sites.length), 4_000);
    const asked = performance.now();
    expect((await footer()).status).toBe(200);
    expect(performance.now() - asked).toBeLessThan(1_000);
  });
});
