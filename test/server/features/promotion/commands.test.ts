import { expect, it } from "vitest";
import { createEmbeddedPromotions } from "../../../../server/features/promotion/embedded/promotions.ts";
import { UsageError } from "../../../../server/platform/errors.ts";
import { runOnStore } from "../../../support/run-on-store.ts";
import { siteOf, testLogger } from "../../../support/test-app.ts";
import { openTestStore } from "../../../support/test-store.ts";

const store = await openTestStore(testLogger);
const words = {
  site: "DE",
  headline: "Gifts",
  text: "For all.",
  "link-url": "/category/gifts",
  "link-text": "To the gifts",
  from: "2099-12-01",
};
const validFrom = "2099-11-30T23:00:00.000Z";

/** Runs a command with its options; `undefined` omits one. */
function promotions(command: string, options: Record<string, string | undefined> = {}): Promise<string> {
  const given = Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]));
  return runOnStore(store, ["promotions", ...command.split(" "), ...given]);
}

async function listed(): Promise<unknown[]> {
  return JSON.parse(await runOnStore(store, ["promotions", "list"], true));
}

it("plans, changes, ends and removes a promotion in the time of its country", async () => {
  expect(await promotions("add", { ...words, to: "2100-01-01T08:30" })).toBe(
    "DE-2099-12-01 added: from 2099-12-01 00:00 to 2100-01-01 08:30 (Europe/Berlin)\n",
  );
  const { site, headline, text } = words;
  const promotion = { site, headline, text, linkUrl: "/category/gifts", linkText: "To the gifts", validFrom };
  expect(await listed()).toMatchObject([{ ...promotion, validTo: "2100-01-01T07:30:00.000Z", test: null }]);

  expect(await promotions("add", { ...words, site: "TR" })).toMatch(/^TR-2099-12-01 added: .* without an end/);
  expect(await promotions("add", words)).toMatch(/^DE-2099-12-01-2 added/);
  const later = "TR-2099-12-01";
  await expect(promotions(`end ${later}`, { at: "2099-12-01" })).rejects.toThrow("has not begun then");
  await expect(promotions(`change ${later}`, { to: "2099-12-01" })).rejects.toThrow("must be later than --from");
  await expect(promotions(`change ${later}`)).rejects.toThrow("needs a value to change");
  await promotions("change DE-2099-12-01", { headline: "New gifts", from: "2026-01-01T00:00Z", to: "never" });
  const shown = async () => {
    const [now] = await createEmbeddedPromotions(store.db).planned(siteOf("DE"));
    return now?.promotion?.headline;
  };
  expect(await shown()).toBe("New gifts");
  expect(await promotions("end DE-2099-12-01")).toMatch(/^DE-2099-12-01 ends: from 2026-01-01 01:00 to 2/);
  expect(await shown()).toBeUndefined();

  expect(await promotions("remove DE-2099-12-01")).toBe("DE-2099-12-01 removed\n");
  expect(await listed()).toMatchObject([{ id: "TR-2099-12-01" }, { id: "DE-2099-12-01-2" }]);
});

it("can be for a group of an A/B test alone", async () => {
  await store.db.insertInto("abTest").values({ name: "banner", validFrom: 0, validTo: null }).execute();
  await store.db.insertInto("abTestGroup").values({ test: "banner", name: "B", position: 0 }).execute();
  await promotions("add", { ...words, site: "AT", test: "banner", group: "B" });
  expect(await listed()).toContainEqual(expect.objectContaining({ id: "AT-2099-12-01", test: "banner", group: "B" }));
});

it.each([
  [{ site: "XX" }, /^--site must be one of AT, /],
  [{ headline: "" }, /^--headline must NOT have fewer/],
  [{ text: "x".repeat(501) }, /^--text must NOT have more/],
  [{ "link-url": "javascript:alert(1)" }, /^--link-url must match/],
  [{ from: "tomorrow" }, /^--from must be a time that Europe\/Berlin has once/],
  // Clocks skip the first of these half hours, and repeat the other one.
  [{ from: "2099-03-29T02:30" }, /^--from must be a time/],
  [{ from: "2099-10-25T02:30" }, /^--from must be a time/],
  [{ to: "2099-11-01" }, /^--to must be later than --from/],
  [{ from: "2020-01-01", to: "2020-02-01" }, /^--to must be in the future/],
  [{ test: "banner" }, /^--test and --group belong together/],
  [{ test: "banner", group: "Z" }, /^--group must be a group of the A\/B test banner/],
])("isn't planned with wrong words: %j", async (wrong, message) => {
  const before = await listed();
  const error = await promotions("add", { ...words, ...wrong }).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(UsageError);
  expect(String(error)).toMatch(new RegExp(message.source.replace("^", "^UsageError: ")));
  expect(await listed()).toEqual(before);
});

it.each(["change", "end", "remove"])("is named where there is none to %s", async (command) => {
  const options = command === "change" ? { headline: "New" } : {};
  await expect(promotions(`${command} unknown`, options)).rejects.toThrow("there is no promotion unknown");
});
