import type { Database } from "../../../store/open-store.ts";

/** The demo's A/B test, which its promotions refer to. It starts before 2026 in every time zone. */
const demoTest = { name: "footer-promotion", validFrom: Date.UTC(2025, 11, 31), validTo: null };

/** Adds the demo's A/B test unless it exists; several replicas may do so at once. */
export async function seedDemoTest(db: Database): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto("abTest")
      .values(demoTest)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await transaction
      .insertInto("abTestGroup")
      .values(["A", "B"].map((name, position) => ({ test: demoTest.name, name, position })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}
