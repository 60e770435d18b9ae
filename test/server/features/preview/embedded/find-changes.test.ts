import request from "supertest";
import { describe, expect, it } from "vitest";
import { findNearestChanges } from "../../../../../server/features/preview/embedded/find-changes.ts";
import { footerChanges } from "../../../../../server/sites/footer-versions.ts";
import type { Jar } from "../../../../support/cookie-jar.ts";
import { base, header, signIn } from "../../../../support/preview-test.ts";
import { createTestApp, siteOf, sites } from "../../../../support/test-app.ts";

const { app, deps } = await createTestApp({ trustProxy: ["loopback"] });
const { db } = deps.store;
const staff = await signIn(app, db);
const begin = "2025-12-31T00:00:00.000Z";
/** Before the festive promotions of any site end. */
const newYearsEve = "2026-12-31T20:30:00.000Z";
const startOf = (day: string, { timeZone }: { timeZone: string }) =>
  new Date(Temporal.PlainDate.from(day).toZonedDateTime(timeZone).epochMilliseconds).toISOString();
const changesOf = (query: object, jar: Jar = staff) =>
  request(app).get(`${base}/changes`).query(query).set("Cookie", header(jar));

describe.each(sites)(
  "the changes of $site",
  ({ site, locale, localHost, timeZone, footer, footerLocale, facts, footerStarts }) => {
    const [festive, end] = [startOf("2026-12-01", { timeZone }), startOf("2027-01-01", { timeZone })];
    const ofFooter = footerStarts.filter(Number.isFinite).map((at) => new Date(at).toISOString());
    const text = deps.texts.translator(locale, "demo");
    const promotion = (name: "coffee" | "living" | "gifts" | "coffeeGifts", change: string) => ({
      ...{ kind: "promotion", name: text(`${name}.headline`), change },
    });

    it("lead from one moment to the next and back", async () => {
      const before = (await changesOf({ after: "2020-01-01T00:00:00Z", site }).expect(200)).body;
      const test = { kind: "test", name: "footer-promotion", change: "starts" };
      expect(before).toEqual({
        status: "SUCCESS",
        previous: null,
        next: { dateTime: begin, changes: expect.anything() },
      });
      expect(before.next.changes).toHaveLength(3);
      expect(before.next.changes).toEqual(
        expect.arrayContaining([promotion("coffee", "starts"), promotion("living", "starts"), test]),
      );
      const between = (await changesOf({ after: "2026-01-01T00:00:00Z", site }).expect(200)).body;
      expect(between.previous).toEqual(before.next);
      const last = (await changesOf({ after: newYearsEve, site }).expect(200)).body;
      expect(last.next.dateTime, "midnight in the site's time zone").toBe(end);
      expect(last.next.changes).toEqual(
        expect.arrayContaining([promotion("gifts", "ends"), promotion("coffeeGifts", "ends")]),
      );
      const after = (await changesOf({ after: end, site }).expect(200)).body;
      expect([after.previous.dateTime, after.next]).toEqual([
        [festive, ...ofFooter].sort().findLast((at) => at < end),
        null,
      ]);
    });

    it("include those of its footer, by their texts", async () => {
      const found = [];
      for (let after = begin; after; ) {
        const { next } = (await changesOf({ after, site }).expect(200)).body;
        const changes = next?.changes.filter(({ kind }: { kind: string }) => kind === "footer") ?? [];
        if (changes.length > 0) found.push({ ...next, changes });
        after = next?.dateTime;
      }
      expect(found.map(({ dateTime }) => dateTime)).toEqual(ofFooter);
      const footerText = deps.texts.translator(footerLocale, "footer", facts);
      const expected = footerChanges(footer, footerText).map(({ name, change }) => ({ kind: "footer", name, change }));
      expect(found.flatMap(({ changes }) => changes)).toEqual(expected);
    });

    it("are those of the request's host", async () => {
      const { body } = await changesOf({ after: newYearsEve }).set("Host", localHost).expect(200);
      expect(body.next.changes).toContainEqual(promotion("gifts", "ends"));
    });
  },
);

describe("the changes", () => {
  it("include dated entries of the footer, strictly before and after", async () => {
    const winter = Date.parse(startOf("2026-12-01", siteOf("DE")));
    const own = [
      { at: 1, name: "first", change: "starts" as const },
      { at: winter, name: "winter", change: "starts" as const },
      { at: winter + 1, name: "winter", change: "ends" as const },
    ];
    const find = (time: number) => findNearestChanges(db, own, siteOf("DE"), time);
    const first = { at: 1, changes: [{ kind: "footer", name: "first", change: "starts" }] };
    expect((await find(0)).next).toEqual(first);
    expect((await find(1)).previous).toBeUndefined();
    expect((await find(winter)).next).toMatchObject({ at: winter + 1, changes: [{ kind: "footer", change: "ends" }] });
    const { previous } = await find(winter + 1);
    expect(previous?.at).toBe(winter);
    expect(previous?.changes.map(({ kind }) => kind)).toEqual(["promotion", "promotion", "footer"]);
  });

  it("need signed-in staff", async () => {
    await changesOf({ after: newYearsEve }, { preview: "true" }).expect(401, { status: "UNAUTHORIZED" });
  });

  it.each([
    [{}, "after"],
    [{ after: "2026-12-24" }, "after"],
    [{ after: ["2026-12-24T00:00:00Z", "2026-12-25T00:00:00Z"] }, "after"],
    [{ after: "2026-12-24T00:00:00Z", site: "XX" }, "site"],
  ])("need a time and a site: %j", async (query, field) => {
    const { body } = await changesOf(query).expect(400);
    expect(body).toEqual({
      status: "BAD_REQUEST",
      errors: [{ field, message: expect.stringMatching(/^must be/) }],
    });
  });

  it("accept a time with an offset", async () => {
    const { body } = await changesOf({ after: "2026-12-31T21:30:00+01:00" }).expect(200);
    expect(body).toEqual((await changesOf({ after: newYearsEve }).expect(200)).body);
  });
});
