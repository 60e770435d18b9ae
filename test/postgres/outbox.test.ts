import { sql } from "kysely";
import { expect, it } from "vitest";
import { minute } from "../../client/rules/time.ts";
import { createOutbox, enqueueMails } from "../../server/features/newsletter/mail/outbox.ts";
import { testLogger } from "../support/test-app.ts";
import { openTestStore } from "../support/test-store.ts";

it("a worker leaves a mail that it has found to another that leases it at the same time", async () => {
  const { db } = await openTestStore(testLogger);
  const at = Date.now();
  const mail = { kind: "welcome", site: "DE", recipient: "anna@shop.example", at } as const;
  await enqueueMails(db, [{ id: "welcome", ...mail, data: { unsubscribeToken: "secret" } }]);

  const waiting = sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const [first, second] = await db.transaction().execute(async (transaction) => {
    const leased = await createOutbox(transaction).lease(at, at + minute, 1);
    const other = createOutbox(db).lease(at, at + minute, 1);
    await expect.poll(async () => (await waiting.execute(db)).rows).toHaveLength(1);
    return [leased, other] as const;
  });
  expect(first).toHaveLength(1);
  expect(await second).toEqual([]);
});
