import request from "supertest";
import { describe, expect, it } from "vitest";
import { footerChanges } from "../../../../../server/sites/footer-versions.ts";
import type { Jar } from "../../../../support/cookie-jar.ts";
import { base, header, signIn } from "../../../../support/preview-test.ts";
import { createTestApp, sites } from "../../../../support/test-app.ts";

interface Changes {
  dateTime: string;
  changes: { kind: string; name: string; change: string }[];
}

const { app, deps } = await createTestApp({ trustProxy: ["loopback"] });
const staff = await signIn(app, deps.store.db);
const startOf = (day: string, { timeZone }: { timeZone: string }) =>
  new Date(Temporal.PlainDate.from(day).toZonedDateTime(timeZone).epochMilliseconds).toISOString();
const changesOf = (query: object, jar: Jar = staff) =>
  request(app).get(`${base}/changes`).query(query).set("Cookie", header(jar));

describe.each(sites)("the changes of $site", ({ site, locale, localHost, timeZone, footer, footerLocale, facts }) => {
  it("lead from one moment to the next and back, and name promotions, tests and parts of the footer", async () => {
    const found: Changes[] = [];
    for (let after = "2020-01-01T00:00:00Z"; after; ) {
      const { status, previous, next } = (await changesOf({ after }).set("Host", localHost).expect(200)).body;
      expect([status, previous]).toEqual(["SUCCESS", found.at(-2) ?? null]);
      if (next) found.push(next);
      after = next?.dateTime;
    }
    const text = deps.texts.translator(locale, "demo");
    const promotion = (name: "coffee" | "gifts", change: string) => ({
      kind: "promotion",
      name: text(`${name}.headline`),
      change,
    });
    const at = (time: string) => found.find(({ dateTime }) => dateTime === time)?.changes;
    expect(at("2025-12-31T00:00:00.000Z")).toEqual(
      expect.arrayContaining([
        promotion("coffee", "starts"),
        { kind: "test", name: "footer-promotion", change: "starts" },
      ]),
    );
    expect(at(startOf("2027-01-01", { timeZone })), "midnight in the site's time zone").toContainEqual(
      promotion("gifts", "ends"),
    );
    const nextYear = new Date().getUTCFullYear() + 1;
    expect(at(startOf(`${nextYear}-12-01`, { timeZone })), "in each year").toContainEqual(promotion("gifts", "starts"));

    const footerText = deps.texts.translator(footerLocale, "footer", facts);
    const ofFooter = found.flatMap(({ dateTime, changes }) =>
      changes.flatMap(({ kind, ...change }) => (kind === "footer" ? [{ ...change, at: Date.parse(dateTime) }] : [])),
    );
    expect(ofFooter).toEqual(footerChanges(footer, footerText).toSorted((a, b) => a.at - b.at));
    const [first] = found;
    expect((await changesOf({ after: "2020-01-01T00:00:00Z", site }).expect(200)).body.next).toEqual(first);
  });
});

it("changes need signed-in staff", async () => {
  await changesOf({ after: "2026-12-24T00:00:00Z" }, { preview: "true" }).expect(401, { status: "UNAUTHORIZED" });
});

it.each([
  [{}, "after"],
  [{ after: "2026-12-24" }, "after"],
  [{ after: ["2026-12-24T00:00:00Z", "2026-12-25T00:00:00Z"] }, "after"],
  [{ after: "2026-12-24T00:00:00Z", site: "XX" }, "site"],
])("changes need a time and a site: %j", async (query, field) => {
  const { body } = await changesOf(query).expect(400);
  expect(body).toEqual({ status: "BAD_REQUEST", errors: [{ field, message: expect.stringMatching(/^must be/) }] });
});
