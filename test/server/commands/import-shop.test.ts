import { describe, expect, it } from "vitest";
import { createEmbeddedAbTests } from "../../../server/features/abtests/embedded/active-tests.ts";
import { createEmbeddedPromotions } from "../../../server/features/promotion/embedded/promotions.ts";
import { StartError } from "../../../server/platform/errors.ts";
import { runOnStore } from "../../support/run-on-store.ts";
import { siteOf, sites, testLogger } from "../../support/test-app.ts";
import { openTestStore } from "../../support/test-store.ts";
import { writeShop } from "../../support/write-shop.ts";

const store = await openTestStore(testLogger);
const { db } = store;
const codes = sites.map(({ site }) => site);
const at = Date.parse("2026-12-24T18:00:00Z");
const validFrom = "2026-12-01T00:00:00+01:00";
const abTest = { name: "banner", groups: ["A", "B"], validFrom };
const promotion = {
  id: "gifts",
  key: "SHOP_FOOTER",
  site: "DE",
  headline: "Gifts",
  text: "For all.",
  validFrom,
  link: { url: "/category/gifts", text: "To the gifts" },
};

/** Imports a file of this content. */
async function importOf(content: string | object): Promise<string> {
  return runOnStore(store, ["import", `${await writeShop({ "shop.json": content })}/shop.json`]);
}

/** The faults that an import is refused for, without the file's name. */
async function faultsOf(content: string | object): Promise<string[]> {
  const error = await importOf(content).catch((caught: unknown) => caught);
  return error instanceof StartError ? error.faults.map((fault) => fault.replace(/^.*shop\.json: /, "")) : [];
}

describe("an import", () => {
  it("adds A/B tests and promotions, and replaces those that are there", async () => {
    const forB = { ...promotion, id: "gifts-b", headline: "Gifts for B", test: "banner", group: "B" };
    const file = { abTests: [abTest], promotions: [promotion, forB] };
    expect(await importOf(file)).toBe("A/B tests: 1 added, 0 replaced; promotions: 2 added, 0 replaced\n");
    expect(await createEmbeddedAbTests(db).findTests(at)).toEqual([
      { name: "banner", groups: [{ name: "A" }, { name: "B" }] },
    ]);
    const find = (group: string) =>
      createEmbeddedPromotions(db).previewed(siteOf("DE"), { at, selection: { test: "banner", group }, cookie: "" });
    expect([(await find("A"))?.headline, (await find("B"))?.headline]).toEqual(["Gifts", "Gifts for B"]);
    const changed = [
      { ...forB, headline: "New" },
      { ...promotion, validTo: "2026-12-24T18:00:00Z" },
      { ...promotion, id: "gifts-at", site: "AT" },
    ];
    expect(await importOf({ promotions: changed })).toBe(
      "A/B tests: 0 added, 0 replaced; promotions: 1 added, 2 replaced\n",
    );
    expect([await find("A"), (await find("B"))?.headline]).toEqual([undefined, "New"]);
  });

  it("removes the groups that a test no longer has, unless a promotion is for them", async () => {
    const test = { ...abTest, name: "teaser", groups: ["old", "kept"] };
    const forOld = { ...promotion, id: "for-old", test: "teaser", group: "old" };
    await importOf({ abTests: [test], promotions: [forOld] });
    const without = { abTests: [{ ...test, groups: ["kept"] }] };
    expect(await faultsOf(without)).toEqual(["/abTests/0/groups must have old, which the promotion for-old is for"]);
    expect(await faultsOf({ ...without, promotions: [forOld] })).toEqual([
      "/promotions/0/group must be a group of an A/B test of the file or the store",
    ]);
    await importOf({ ...without, promotions: [{ ...forOld, group: "kept" }] });
    const tests = await createEmbeddedAbTests(db).findTests(at);
    expect(tests.find(({ name }) => name === "teaser")?.groups).toEqual([{ name: "kept" }]);
  });

  it.each([
    ["no JSON", "{", ["isn't valid JSON (line 1, column 2)"]],
    ["a list", [], [" must be object"]],
    ["an unknown list", { tests: [] }, ["/tests is not known"]],
    [
      "entries that are wrong",
      { abTests: [{ ...abTest, groups: [], validFrom: "2026-12-01" }], promotions: [{ ...promotion, text: "" }] },
      [
        "/abTests/0/groups must NOT have fewer than 1 items",
        "/abTests/0/validFrom must be an ISO 8601 time with an offset, such as 2026-12-24T18:00:00Z",
        "/promotions/0/text must NOT have fewer than 1 characters",
      ],
    ],
    [
      "entries that don't fit",
      {
        abTests: [{ ...abTest, validTo: validFrom }],
        promotions: [promotion, { ...promotion, site: "XX" }, { ...promotion, id: "x", test: "banner", group: "Z" }],
      },
      [
        "/promotions/1/id is there twice",
        "/abTests/0/validTo must be later than validFrom",
        `/promotions/1/site must be one of ${codes.join(", ")}`,
        "/promotions/2/group must be a group of an A/B test of the file or the store",
      ],
    ],
    [
      "a link to run script",
      { promotions: [{ ...promotion, link: { url: "javascript:alert(1)", text: "x" } }] },
      [expect.stringMatching(/^\/promotions\/0\/link\/url must match/)],
    ],
    [
      "a group without its test",
      { promotions: [{ ...promotion, group: "A" }] },
      [expect.stringContaining("/promotions/0")],
    ],
  ])("is refused for %s, and every fault is named", async (_what, content, faults) => {
    expect(await faultsOf(content)).toEqual(faults);
  });

  it("is refused for a file that can't be read", async () => {
    await expect(runOnStore(store, ["import", "/nowhere.json"])).rejects.toThrow("/nowhere.json: can't be read");
  });

  it("takes all or nothing", async () => {
    const before = await db.selectFrom("abTest").selectAll().execute();
    await faultsOf({ abTests: [{ ...abTest, name: "second" }], promotions: [{ ...promotion, site: "XX" }] });
    expect(await db.selectFrom("abTest").selectAll().execute()).toEqual(before);
  });
});
