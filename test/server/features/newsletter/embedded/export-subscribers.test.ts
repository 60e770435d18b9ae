import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { hour } from "../../../../../client/rules/time.ts";
import { exportSubscribers } from "../../../../../server/features/newsletter/embedded/export-subscribers.tsx";
import { type Bench, callerOf, openNewsletter, signUp, subscriptionOf } from "../../../../support/newsletter-test.ts";
import { testKeys } from "../../../../support/test-store.ts";

type ExportFilter = Parameters<typeof exportSubscribers>[1];

async function exported({ db }: Bench, filter: Partial<ExportFilter> = {}, keys?: typeof testKeys) {
  const pages = [];
  for await (const page of exportSubscribers(db, { statuses: ["confirmed"], ...filter }, keys)) pages.push(page);
  return pages;
}

async function confirm(bench: Bench, email: string, site = "DE") {
  const token = await signUp(bench, email, site);
  await bench.newsletter.confirm(token, callerOf(site));
  return token;
}

it("an export selects subscriptions by status, site and time of the last change", async () => {
  const bench = await openNewsletter();
  await confirm(bench, "first@shop.example");
  await confirm(bench, "second@shop.example", "AT");
  const gone = await confirm(bench, "gone@shop.example");
  await signUp(bench, "pending@shop.example");
  bench.pass(hour);
  await bench.newsletter.unsubscribe(gone, callerOf("DE"));
  await confirm(bench, "late@shop.example");
  const names = async (filter?: Partial<ExportFilter>) =>
    (await exported(bench, filter))
      .flat()
      .map(({ email }) => email.split("@")[0])
      .toSorted();
  expect(await names()).toEqual(["first", "late", "second"]);
  expect(await names({ site: "AT" })).toEqual(["second"]);
  expect(await names({ since: bench.now() })).toEqual(["late"]);
  expect(await names({ since: bench.now() + 1 })).toEqual([]);
  expect(await names({ statuses: ["withdrawn"], since: bench.now() })).toEqual(["gone"]);
  expect(await names({ statuses: ["withdrawn", "pending"] })).toEqual(["gone", "pending"]);
  const [late] = (await exported(bench, { since: bench.now() })).flat();
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
  const tokens = async () =>
    (await exported(bench, { statuses: ["confirmed", "pending"] }, testKeys))
      .flat()
      .toSorted((a, b) => a.email.localeCompare(b.email))
      .map(({ token }) => token);
  const [token, none] = await tokens();
  expect(none).toBeNull();
  expect(await tokens()).toEqual([token, none]);
  expect(await bench.newsletter.recordOpening(token ?? "")).toBe(true);
  expect(await bench.newsletter.unsubscribe(token ?? "", callerOf("DE"))).toEqual({ status: "ended" });
});

it("an export reads a thousand at a time, and leaves none out", async () => {
  const bench = await openNewsletter();
  await confirm(bench, "model@shop.example");
  const model = await subscriptionOf(bench.db, "model@shop.example");
  if (!model) throw new Error("there is no subscription");
  const rows = Array.from({ length: 2_300 }, (_, n) => ({ ...model, id: randomUUID(), email: `${n}@shop.example` }));
  while (rows.length > 0) await bench.db.insertInto("newsletterSubscription").values(rows.splice(0, 100)).execute();
  const pages = await exported(bench);
  expect(pages.map(({ length }) => length)).toEqual([1000, 1000, 301]);
  const emails = new Set(pages.flat().map(({ email }) => email));
  expect(emails.size).toBe(2301);
});
