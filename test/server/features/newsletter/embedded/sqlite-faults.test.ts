import { sql } from "kysely";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { mailsTo, signUpOf, subscriptionOf } from "../../../../support/newsletter-test.ts";
import { createTestApp, testLogger } from "../../../../support/test-app.ts";
import { openTestStore } from "../../../../support/test-store.ts";

const path = "/service/newsletter/api/internal/newsletter-subscribers";
const unavailable = {
  type: "UNAVAILABLE",
  title: "the service isn't available, please try again later",
  status: 503,
};

describe("a store that takes nothing", () => {
  it.each([
    ["is full", (pages: number) => `max_page_count = ${pages}`, "max_page_count = 1073741823"],
    ["is read-only", () => "query_only = on", "query_only = off"],
  ])(
    "because it %s is answered with 503, never with a success, and works again by itself",
    async (_what, breakBy, heal) => {
      const store = await openTestStore(testLogger);
      const { app, logs } = await createTestApp({ store });
      const post = (email: string) =>
        request(app)
          .post(path)
          .set({ "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-origin", "X-Site": "DE" })
          .send(signUpOf(email));
      const pragma = (setting: string) => sql`PRAGMA ${sql.raw(setting)}`.execute(store.db);

      await post("before@shop.example").expect(202);
      const { rows } = await sql<{ pageCount: number }>`PRAGMA page_count`.execute(store.db);
      await pragma(breakBy(rows[0]?.pageCount ?? 0));
      const lost: string[] = [];
      for (let i = 0; i < 30; i++) {
        const email = `during-${i}@shop.example`;
        const { status, body } = await post(email);
        if (status === 202) continue;
        expect([status, body]).toEqual([503, unavailable]);
        lost.push(email);
      }
      expect(lost).not.toEqual([]);
      await pragma(heal);
      for (const email of lost) {
        expect(await subscriptionOf(store.db, email)).toBeUndefined();
        expect(await mailsTo(store.db, email)).toEqual([]);
      }
      const faults = logs.filter(({ level }) => level === 40);
      expect(faults).toMatchObject([{ level: 40, msg: "database statement failed" }]);
      expect(JSON.stringify(faults[0]), "the cause").toMatch(/full|readonly/);
      expect(JSON.stringify(logs)).not.toContain("@shop.example");

      await post("after@shop.example").expect(202);
      for (let i = 0; i < 30; i++) {
        const email = `during-${i}@shop.example`;
        if (lost.includes(email)) continue;
        expect(await mailsTo(store.db, email), "accepted, so kept").toHaveLength(1);
      }
    },
  );
});
