import { expect, it } from "vitest";
import { day, hour, minute } from "../../../../client/rules/time.ts";
import { takeTurns } from "../../../../server/shop/mail/mail-budgets.ts";
import { testLogger } from "../../../support/test-app.ts";
import { openTestStore } from "../../../support/test-store.ts";

const at = Date.UTC(2026, 10, 22);

/** Takes turns in a store in which some of the budgets are spent. */
async function spent(spentUntil: Record<string, number>) {
  const { db } = await openTestStore(testLogger);
  for (const [name, until] of Object.entries(spentUntil)) {
    await db.insertInto("mailBudget").values({ name, spentUntil: until }).execute();
  }
  return { db, turn: async (site: string, when = at) => (await takeTurns(db, [site], when))(site) };
}

it("a site's mails go out at once, up to those of an hour, then one by one", async () => {
  const { turn } = await spent({ DE: at + hour - 2 * 360 });
  expect([await turn("DE"), await turn("DE")]).toEqual([{ at }, { at }]);
  const met = { limit: "site", outcome: "postponed" };
  expect([await turn("DE"), await turn("DE")]).toEqual([
    { at: at + 360, met },
    { at: at + 720, met },
  ]);
  expect(await turn("AT"), "another site").toEqual({ at });
  expect(await turn("DE", at + minute), "a minute later").toEqual({ at: at + minute });
});

it("all sites together have a budget, too", async () => {
  const { turn } = await spent({ all: at + hour });
  const met = { limit: "all", outcome: "postponed" };
  expect(await turn("DE")).toEqual({ at: at + 120, met });
  expect(await turn("AT")).toEqual({ at: at + 240, met });
});

it("a mail that would wait for more than half a day is refused, and takes nothing from other sites", async () => {
  const { turn } = await spent({ DE: at + 13 * hour + minute });
  const met = { limit: "site", outcome: "refused" };
  for (let i = 0; i < 3; i++) expect(await turn("DE")).toEqual({ at: at + minute, met });
  expect(await turn("AT")).toEqual({ at });
  expect(await turn("DE", at + minute)).toMatchObject({ met: { outcome: "postponed" } });
});

it("turns that a wrong clock has counted far ahead block nobody once it is right", async () => {
  const { turn, db } = await spent({ DE: at + 40 * day, all: at + 40 * day });
  expect([await turn("DE"), await turn("DE")]).toEqual([{ at }, { at }]);
  const rows = await db.selectFrom("mailBudget").selectAll().execute();
  expect(rows.toSorted((a, b) => a.spentUntil - b.spentUntil)).toEqual([
    { name: "all", spentUntil: at + 2 * 120 },
    { name: "DE", spentUntil: at + 2 * 360 },
  ]);
});

it("turns that are taken at the same time are all counted", async () => {
  const { turn } = await spent({ DE: at + hour });
  const turns = await Promise.all(Array.from({ length: 20 }, () => turn("DE")));
  expect(turns.map((taken) => taken.at - at).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 20 }, (_, i) => (i + 1) * 360),
  );
});
