import { describe, expect } from "vitest";
import { anySite } from "../browser/chosen-sites.ts";
import { writeToken } from "../client/features/session/write-token.ts";
import { test } from "./engine-test.ts";
import { openLogin, signInAtSecondTry } from "./steps.ts";

const renewal = "POST /service/login/api/v1/logintoken/renew";

describe("a customer", () => {
  const site = anySite;

  test("signs in at the second try, is led on, and stays signed in", async ({ driver, shop, visitor }) => {
    await openLogin(visitor, shop, site);
    await visitor.wake("[data-island=login]");
    await signInAtSecondTry(visitor, shop, site, "401: POST /service/login/api/v1/login");

    const due = writeToken({ ren: -60, exp: 600 });
    shop.takeRequests();
    await driver.evaluate(`document.cookie = "LoginToken=${due}; path=/"`);
    await visitor.press("Tab");
    await expect.poll(() => driver.evaluate("document.cookie")).not.toContain(due);
    expect(await driver.evaluate("document.cookie")).toContain("LoginToken=");
    expect(shop.takeRequests().filter((request) => request === renewal)).toHaveLength(1);
  });
});
