import { sql } from "kysely";
import { Client } from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { minute } from "../../client/rules/time.ts";
import { callerOf, mailsTo, openNewsletter, signUp, signUpOf } from "../support/newsletter-test.ts";
import { testLogger } from "../support/test-app.ts";
import { createStorePlace, emptyTables, openTestStore } from "../support/test-store.ts";

describe("replicas of the newsletter service", () => {
  it("sign an address up once per site, whichever replica is asked, and send its mails one after the other", async () => {
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

  it("lock the mailbox before the subscription, so that a sign-up and a resent mail don't deadlock", async () => {
    const place = await createStorePlace(emptyTables);
    const bench = await openNewsletter((await openTestStore(testLogger, place)).db);
    const token = await signUp(bench, "order@shop.example");
    const [other, observer] = [new Client(place.databaseUrl), new Client(place.databaseUrl)];
    for (const client of [other, observer]) {
      await client.connect();
      onTestFinished(() => client.end());
    }
    await other.query("begin; update mailbox set asked_at = asked_at");
    const resent = bench.newsletter.resend(token, callerOf("DE"));
    const waiting = () =>
      observer.query("select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'");
    await expect.poll(async () => (await waiting()).rowCount).toBe(1);
    expect((await other.query("select 1 from newsletter_subscription for update nowait")).rowCount).toBe(1);
    await other.query("rollback");
    expect(await resent).toEqual({ status: "accepted" });
  });
});

it("a sign-up is acknowledged once it is on the disk; only counts are confirmed before", async () => {
  const place = await createStorePlace(emptyTables);
  const bench = await openNewsletter((await openTestStore(testLogger, place)).db);
  const owner = new Client(place.databaseUrl);
  await owner.connect();
  onTestFinished(() => owner.end());
  await owner.query("create table commits (changed text primary key, waits text)");
  await owner.query(`create function note() returns trigger language plpgsql as $$ begin
    insert into commits values (tg_table_name, current_setting('synchronous_commit')) on conflict do nothing; return null;
  end $$`);
  const changed = ["consent_record", "mail_budget", "mail_outbox", "mailbox", "newsletter_subscription", "rate_limit"];
  // Deferred to the commit, as the setting counts then.
  for (const table of changed)
    await owner.query(`create constraint trigger note after insert on ${table}
      deferrable initially deferred for each row execute function note()`);
  await signUp(bench, "durable@shop.example");
  const { rows } = await owner.query("select changed, waits from commits order by changed");
  const isCount = (table: string) => table === "mail_budget" || table === "rate_limit";
  expect(rows).toEqual(changed.map((table) => ({ changed: table, waits: isCount(table) ? "off" : "on" })));
  const settings = Array.from({ length: 10 }, () =>
    sql`select current_setting('synchronous_commit')`.execute(bench.db),
  );
  expect(new Set((await Promise.all(settings)).map((result) => JSON.stringify(result.rows)))).toEqual(
    new Set([JSON.stringify([{ currentSetting: "on" }])]),
  );
});
