import { sql } from "kysely";
import { expect, it } from "vitest";
import { minute } from "../../client/rules/time.ts";
import { enqueueMails } from "../../server/shop/mail/enqueue-mails.ts";
import { createOutbox } from "../../server/shop/mail/outbox.ts";
import { testLogger } from "../support/test-app.ts";
import { openTestStore } from "../support/test-store.ts";

it("a worker that has found a mail leaves it to the one that takes it at the same time", async () => {
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
