import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { hour } from "../../../../../client/rules/time.ts";
import { exportSubscribers } from "../../../../../server/features/newsletter/embedded/export-subscribers.tsx";
import { callerOf, openNewsletter, signUp, subscriptionOf } from "../../../../support/newsletter-test.ts";
import { testKeys } from "../../../../support/test-store.ts";

type ExportFilter = Partial<Parameters<typeof exportSubscribers>[1]>;

const bench = await openNewsletter();
const { db, newsletter } = bench;
async function exported(filter: ExportFilter = {}, keys?: typeof testKeys) {
  const pages = [];
  for await (const page of exportSubscribers(db, { statuses: ["confirmed"], ...filter }, keys)) pages.push(page);
  return pages;
}

async function confirm(email: string, site = "DE") {
  const token = await signUp(bench, email, site);
  await newsletter.confirm(token, callerOf(site));
  return token;
}

it("an export selects subscriptions by status, site and time of the last change", async () => {
  await confirm("first@shop.example");
  await confirm("second@shop.example", "AT");
  const gone = await confirm("gone@shop.example");
  await signUp(bench, "pending@shop.example");
  bench.pass(hour);
  await newsletter.unsubscribe(gone, callerOf("DE"));
  await confirm("late@shop.example");
  const since = bench.now();
  const names = async (filter: ExportFilter) =>
    (await exported(filter))
      .flat()
      .map(({ email }) => email.split("@")[0])
      .toSorted();
  expect(await names({})).toEqual(["first", "late", "second"]);
  expect(await names({ site: "AT" })).toEqual(["second"]);
  expect(await names({ since })).toEqual(["late"]);
  expect(await names({ since: since + 1 })).toEqual([]);
  expect(await names({ statuses: ["withdrawn", "pending"] })).toEqual(["gone", "pending"]);
  const time = new Date(since).toISOString();
  const { id } = (await subscriptionOf(db, "late@shop.example")) ?? {};
  expect(await exported({ since })).toEqual([
    [
      {
        id,
        site: "DE",
        email: "late@shop.example",
        salutation: "MRS",
        firstName: "Ada",
        lastName: "Beispiel",
        consents: ["NEWSLETTER"],
        categories: [],
        origin: "NEWSLETTER",
        originAddition: "footer",
        status: "confirmed",
        signedUpAt: time,
        changedAt: time,
        confirmedAt: time,
        sendingStoppedAt: null,
      },
    ],
  ]);
});

it("an export has the sender's tokens when they are asked for: the same each time, and of those who have confirmed", async () => {
  const tokens = async () =>
    (await exported({ statuses: ["confirmed", "pending"] }, testKeys))
      .flat()
      .filter(({ email }) => /^(?:late|pending)/.test(email))
      .toSorted((a, b) => a.email.localeCompare(b.email))
      .map(({ token }) => token);
  const [token = "", none] = await tokens();
  expect(none).toBeNull();
  expect(await tokens()).toEqual([token, none]);
  expect(await newsletter.recordOpening(token ?? "")).toBe(true);
  expect(await newsletter.unsubscribe(token ?? "", callerOf("DE"))).toEqual({ status: "ended" });
});

it("an export reads a thousand at a time, and leaves none out", async () => {
  const model = await db.selectFrom("newsletterSubscription").selectAll().executeTakeFirstOrThrow();
  const many = Array.from({ length: 2_300 }, (_, n) => ({
    ...model,
    site: "PL",
    state: "confirmed" as const,
    id: randomUUID(),
    email: `${n}@shop.example`,
  }));
  while (many.length > 0) await db.insertInto("newsletterSubscription").values(many.splice(0, 100)).execute();
  const pages = await exported({ site: "PL" });
  expect(pages.map(({ length }) => length)).toEqual([1000, 1000, 300]);
  expect(new Set(pages.flat().map(({ email }) => email)).size).toBe(2_300);
});
