import { expect, it } from "vitest";
import { day } from "../../../../client/rules/time.ts";
import { erase } from "../../../../server/shop/newsletter/erase.ts";
import type { Tables } from "../../../../server/shop/store/tables.ts";
import { callerOf, openNewsletter, signUp, subscriptionOf } from "../../../support/newsletter-test.ts";
import { sites } from "../../../support/test-app.ts";

it("leaves no trace of an address in any table, whatever has happened to it, and others alone", async () => {
  const bench = await openNewsletter();
  const { db, newsletter } = bench;
  const ids: string[] = [];
  for (const { site } of sites) {
    await newsletter.confirm(await signUp(bench, "Erase.Me@shop.example", site), callerOf(site));
    ids.push((await subscriptionOf(db, "Erase.Me@shop.example", site))?.id ?? "none");
    bench.pass(day);
  }
  await signUp(bench, "other@shop.example");

  expect(await erase(db, " Erase.Me@SHOP.example ")).toEqual({ subscriptions: sites.length, mails: 2 * sites.length });
  const tables = (await db.introspection.getTables()).map(({ name }) => name as keyof Tables);
  expect(tables).toContain("consent_record");
  for (const table of tables) {
    const rows = JSON.stringify(await db.selectFrom(table).selectAll().execute());
    for (const trace of ["erase.me", ...ids]) expect(rows.toLowerCase(), table).not.toContain(trace);
  }
  expect(await subscriptionOf(db, "other@shop.example")).toMatchObject({ state: "pending" });
  expect(await erase(db, "Erase.Me@shop.example")).toEqual({ subscriptions: 0, mails: 0 });
});
