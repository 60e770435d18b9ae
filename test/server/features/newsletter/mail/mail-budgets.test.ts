import { expect, it } from "vitest";
import { day, hour, minute } from "../../../../../client/rules/time.ts";
import { reserveSendSlots } from "../../../../../server/features/newsletter/mail/mail-budgets.ts";
import { testLogger } from "../../../../support/test-app.ts";
import { openTestStore } from "../../../../support/test-store.ts";

const at = Date.UTC(2026, 10, 22);

/** Reserves slots in a store in which some of the budgets are spent. */
async function spent(spentUntil: Record<string, number>) {
  const { db } = await openTestStore(testLogger);
  for (const [name, until] of Object.entries(spentUntil)) {
    await db.insertInto("mailBudget").values({ name, spentUntil: until }).execute();
  }
  const slot = async (site: string, when = at, email = "ada@web.de") => {
    const mail = { site, email };
    return (await reserveSendSlots(db, [mail], when))(mail);
  };
  return { db, slot };
}

it("all sites together have a budget, which fills up again with time", async () => {
  const { slot } = await spent({ all: at + hour });
  const hit = { limit: "all", outcome: "postponed" };
  expect(await slot("DE")).toEqual({ at: at + 120, hit });
  expect(await slot("AT")).toEqual({ at: at + 240, hit });
  expect(await slot("AT", at + minute)).toEqual({ at: at + minute });
});

it("a budget that a wrong clock has spent far ahead blocks nobody once the clock is right", async () => {
  const { slot, db } = await spent({ DE: at + 40 * day, all: at + 40 * day });
  expect([await slot("DE"), await slot("DE")]).toEqual([{ at }, { at }]);
  const rows = await db.selectFrom("mailBudget").selectAll().execute();
  expect(rows.toSorted((a, b) => a.spentUntil - b.spentUntil)).toEqual([
    { name: "all", spentUntil: at + 2 * 120, countedAt: at },
    { name: "DE", spentUntil: at + 2 * 360, countedAt: at },
  ]);
});

it("a domain with room in its budget doesn't help a site without, and spends nothing there", async () => {
  const { slot, db } = await spent({ DE: at + 14 * hour });
  const hit = { limit: "site", outcome: "refused" };
  expect(await slot("DE", at, "ada@lovelace.family")).toEqual({ at: at + hour, hit });
  expect(await db.selectFrom("mailBudget").select("name").execute()).toEqual([{ name: "DE" }]);
});
