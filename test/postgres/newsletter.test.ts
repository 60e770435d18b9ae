import { describe, expect, it } from "vitest";
import { minute } from "../../client/rules/time.ts";
import { callerOf, mailsTo, openNewsletter, signUpOf } from "../support/newsletter-test.ts";
import { testLogger } from "../support/test-app.ts";
import { createStorePlace, openTestStore } from "../support/test-store.ts";

describe("replicas of the newsletter service", () => {
  it("sign an address up once on each site, whichever of them is asked, and mail it one after the other", async () => {
    const place = await createStorePlace();
    const replicas = await Promise.all(
      Array.from({ length: 3 }, async () => openNewsletter((await openTestStore(testLogger, place)).db)),
    );
    const results = await Promise.all(
      replicas.flatMap(({ newsletter }) =>
        Array.from({ length: 100 }, (_, i) =>
          newsletter.subscribe(signUpOf("twice@shop.example"), callerOf(i % 2 === 0 ? "DE" : "PL")),
        ),
      ),
    );
    expect(results.every(({ status }) => status === "accepted")).toBe(true);
    for (const { db } of replicas) {
      const rows = await db.selectFrom("newsletterSubscription").select("site").orderBy("site").execute();
      expect(rows).toEqual([{ site: "DE" }, { site: "PL" }]);
      expect(await db.selectFrom("consentRecord").select("event").execute()).toHaveLength(2);
      const [first, second, ...more] = await mailsTo(db, "twice@shop.example");
      expect(more).toEqual([]);
      expect(Number(second?.createdAt) - Number(first?.createdAt)).toBe(15 * minute);
    }
  });
});
