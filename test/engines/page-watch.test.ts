import { describe, expect } from "vitest";
import { anySite } from "../browser/chosen-sites.ts";
import { test } from "./engine-test.ts";

describe("a page's faults", () => {
  test("are seen", async ({ driver, shop, visitor }) => {
    await visitor.open(shop.address(anySite));
    await driver.evaluate(`void setTimeout(() => {
      document.body.appendChild(document.createElement("script")).textContent = "1";
      console.error("planted");
      Promise.reject(new Error("planted"));
      throw new Error("planted");
    })`);
    const faults: string[] = [];
    await expect.poll(() => faults.push(...shop.takeFaults())).toBe(4);
    expect(faults.map((fault) => fault.split(" ")[0]).sort()).toEqual(["console", "policy:", "rejected:", "uncaught:"]);
  });
});
