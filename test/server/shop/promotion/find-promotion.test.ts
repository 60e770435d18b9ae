import { describe, expect, it } from "vitest";
import { findPromotion, planPromotions } from "../../../../server/shop/promotion/find-promotion.ts";
import { testLogger } from "../../../support/test-app.ts";
import { openTestStore } from "../../../support/test-store.ts";

const { db } = await openTestStore(testLogger);
const day = (number: number) => Date.UTC(2026, 0, number);
await db.insertInto("abTest").values({ name: "colours", validFrom: 0, validTo: null }).execute();
await db
  .insertInto("abTestGroup")
  .values(["A", "B"].map((name, position) => ({ test: "colours", name, position })))
  .execute();

let count = 0;
/** Adds a promotion of DE in a place, whose headline is given. */
async function add(key: string, headline: string, changes: object = {}) {
  const link = { linkUrl: "/category/coffee", linkText: "Coffee" };
  await db
    .insertInto("promotion")
    .values({
      ...{ id: String(count++), key, site: "DE", headline, text: "Text", ...link },
      ...{ validFrom: day(1), validTo: null, test: null, testGroup: null, ...changes },
    })
    .execute();
}

async function headline(key: string, at: number, selection?: { test: string; group: string }, site = "DE") {
  return (await findPromotion(db, key, { site, at, selection }))?.headline;
}

describe("a promotion", () => {
  it("is found with all that it shows", async () => {
    await add("WHOLE", "Headline");
    expect(await findPromotion(db, "WHOLE", { site: "DE", at: day(2) })).toEqual({
      headline: "Headline",
      text: "Text",
      link: { url: "/category/coffee", text: "Coffee" },
    });
  });

  it("is that of its place and site alone", async () => {
    await add("PLACE", "Here");
    expect(await headline("PLACE", day(2), undefined, "AT")).toBeUndefined();
    expect(await headline("OTHER", day(2))).toBeUndefined();
    expect(await headline("place", day(2))).toBeUndefined();
  });

  it("is there from its first moment up to its last", async () => {
    await add("WINDOW", "Now", { validFrom: day(5), validTo: day(6) });
    const times = [day(5) - 1, day(5), day(6) - 1, day(6)];
    expect(await Promise.all(times.map((time) => headline("WINDOW", time)))).toEqual([
      undefined,
      "Now",
      "Now",
      undefined,
    ]);
  });

  it("that started last comes first, and the earlier one again after it", async () => {
    await add("SEASON", "Season", { validFrom: day(5), validTo: day(6) });
    await add("SEASON", "Always");
    const times = [day(4), day(5), day(6)];
    expect(await Promise.all(times.map((time) => headline("SEASON", time)))).toEqual(["Always", "Season", "Always"]);
  });

  it("for the selected group comes before one for everybody, even one that started later", async () => {
    await add("TARGET", "Everybody", { validFrom: day(3) });
    await add("TARGET", "Group B", { test: "colours", testGroup: "B" });
    expect(await headline("TARGET", day(4))).toBe("Everybody");
    expect(await headline("TARGET", day(4), { test: "colours", group: "A" })).toBe("Everybody");
    expect(await headline("TARGET", day(4), { test: "colours", group: "B" })).toBe("Group B");
    expect(await headline("TARGET", day(4), { test: "sizes", group: "B" })).toBe("Everybody");
    expect(await headline("TARGET", day(2), { test: "colours", group: "A" })).toBeUndefined();
  });
});

describe("the plan of a place", () => {
  const minute = 60_000;
  const plan = async (key: string, at: number) =>
    (await planPromotions(db, key, { site: "DE", at })).map(({ from, promotion }) => [
      (from - at) / minute,
      promotion?.headline,
    ]);

  it("names what is promoted now, and each change of the next hour", async () => {
    await add("PLAN", "Season", { validFrom: day(1), validTo: day(3) });
    await add("PLAN", "Weekend", { validFrom: day(2), validTo: day(2) + 30 * minute });
    await add("PLAN", "Late", { validFrom: day(2) + 61 * minute });
    expect(await plan("PLAN", day(2) - 10 * minute)).toEqual([
      [0, "Season"],
      [10, "Weekend"],
      [40, "Season"],
    ]);
    expect(await plan("PLAN", day(2) + 29 * minute)).toEqual([
      [0, "Weekend"],
      [1, "Season"],
      [32, "Late"],
    ]);
    expect(await plan("PLAN", day(3))).toEqual([[0, "Late"]]);
  });

  it("says that nothing is promoted, and names no change that changes nothing", async () => {
    await add("OUTDONE", "Later one", { validFrom: day(2), validTo: day(3) });
    await add("OUTDONE", "Earlier one", { validFrom: day(1), validTo: day(2) + 10 * minute });
    await add("OUTDONE", "Tested", { validFrom: day(2) + 5 * minute, test: "colours", testGroup: "A" });
    expect(await plan("OUTDONE", day(2))).toEqual([[0, "Later one"]]);
    expect(await plan("EMPTY", day(2))).toEqual([[0, undefined]]);
  });
});
