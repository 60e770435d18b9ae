import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { hour } from "../../../../../client/rules/time.ts";
import {
  type ExportFilter,
  exportSubscribers,
} from "../../../../../server/features/newsletter/embedded/export-subscribers.ts";
import { type Bench, callerOf, openNewsletter, signUp, subscriptionOf } from "../../../../support/newsletter-test.ts";
import { testKeys } from "../../../../support/test-store.ts";

async function exported({ db }: Bench, filter: Partial<ExportFilter> = {}, withTokens = false) {
  const all = [];
  for await (const rows of exportSubscribers(
    db,
    { statuses: ["confirmed"], ...filter },
    withTokens ? testKeys : undefined,
  ))
    all.push(...rows);
  return all;
}

async function confirm(bench: Bench, email: string, site = "DE") {
  const token = await signUp(bench, email, site);
  await bench.newsletter.confirm(token, callerOf(site));
  return token;
}

const emailsOf = (rows: readonly { email: string }[]) => rows.map(({ email }) => email.split("@")[0]).toSorted();

it("an export has who is asked for: by status, site and time of the last change", async () => {
  const bench = await openNewsletter();
  await confirm(bench, "first@shop.example");
  await confirm(bench, "second@shop.example", "AT");
  const gone = await confirm(bench, "gone@shop.example");
  await signUp(bench, "pending@shop.example");
  bench.pass(hour);
  await bench.newsletter.unsubscribe(gone, callerOf("DE"));
  await confirm(bench, "late@shop.example");
  expect(emailsOf(await exported(bench))).toEqual(["first", "late", "second"]);
  expect(emailsOf(await exported(bench, { site: "AT" }))).toEqual(["second"]);
  expect(emailsOf(await exported(bench, { since: bench.now() }))).toEqual(["late"]);
  expect(emailsOf(await exported(bench, { since: bench.now() + 1 }))).toEqual([]);
  expect(emailsOf(await exported(bench, { statuses: ["withdrawn"], since: bench.now() })), "ended since").toEqual([
    "gone",
  ]);
  expect(emailsOf(await exported(bench, { statuses: ["withdrawn", "pending"] }))).toEqual(["gone", "pending"]);
  const [late] = await exported(bench, { since: bench.now() });
  const time = new Date(bench.now()).toISOString();
  expect(late).toEqual({
    ...{ id: (await subscriptionOf(bench.db, "late@shop.example"))?.id, site: "DE", email: "late@shop.example" },
    ...{ salutation: "MRS", firstName: "Ada", lastName: "Beispiel", consents: ["NEWSLETTER"], categories: [] },
    ...{ origin: "NEWSLETTER", originAddition: "footer", status: "confirmed", signedUpAt: time, changedAt: time },
    ...{ confirmedAt: time, sendingStoppedAt: null },
  });
});

it("an export has tokens only when they are asked for: the same each time, and for those who have confirmed", async () => {
  const bench = await openNewsletter();
  await confirm(bench, "ada@shop.example");
  await signUp(bench, "pending@shop.example");
  expect(JSON.stringify(await exported(bench))).not.toContain("token");
  const filter = { statuses: ["confirmed", "pending"] } as const;
  const tokens = async () =>
    (await exported(bench, filter, true)).toSorted((a, b) => a.email.localeCompare(b.email)).map(({ token }) => token);
  const [token, none] = await tokens();
  expect(none).toBeNull();
  expect(await tokens()).toEqual([token, none]);
  expect(await bench.newsletter.recordOpening(token ?? "")).toEqual({ status: "recorded" });
  expect(await bench.newsletter.unsubscribe(token ?? "", callerOf("DE"))).toEqual({ status: "ended" });
});

it("an export reads a thousand at a time, and leaves none out", async () => {
  const bench = await openNewsletter();
  await confirm(bench, "model@shop.example");
  const model = await subscriptionOf(bench.db, "model@shop.example");
  if (!model) throw new Error("there is no subscription");
  for (let i = 0; i < 23; i++) {
    const rows = Array.from({ length: 100 }, (_, n) => ({
      ...model,
      id: randomUUID(),
      email: `${i}.${n}@shop.example`,
    }));
    await bench.db.insertInto("newsletterSubscription").values(rows).execute();
  }
  const sizes: number[] = [];
  const emails = new Set<string>();
  for await (const rows of exportSubscribers(bench.db, { statuses: ["confirmed"] }, testKeys)) {
    sizes.push(rows.length);
    for (const { email } of rows) emails.add(email);
  }
  expect(sizes).toEqual([1000, 1000, 301]);
  expect(emails.size).toBe(2301);
});
