import { describe, expect } from "vitest";
import { anySite } from "../../browser/chosen-sites.ts";
import { writeToken } from "../../client/features/session/write-token.ts";
import { texts } from "../../support/test-app.ts";
import { customer, password, test } from "../engine-test.ts";

const form = "[data-island=login] form";
const renewal = "POST /service/login/api/v1/logintoken/renew";

describe("a customer", () => {
  const site = anySite;
  const text = texts.translator(site.locale, "login");

  test("signs in at the second try, is led on, and stays signed in", async ({ driver, shop, visitor }) => {
    await visitor.open(shop.address(site, "/login?redirect=/subscribenewsletter"));
    await visitor.wake("[data-island=login]");
    await visitor.write(`${form} [name=email]`, customer);
    await visitor.write(`${form} [name=password]`, "wrong");
    await visitor.press("Enter");
    await expect.poll(() => visitor.text(`${form} [role=alert]`)).toContain(text("error.unauthorized"));
    expect(shop.takeFaults()).toEqual(["401: POST /service/login/api/v1/login"]);
    await visitor.write(`${form} [name=password]`, password);
    await visitor.click(`${form} [type=submit]`);
    await expect.poll(() => visitor.address()).toBe(shop.address(site, "/subscribenewsletter"));

    const due = writeToken({ ren: -60, exp: 600 });
    shop.takeRequests();
    // Any activity renews the token from now on.
    await driver.evaluate(`document.cookie = "LoginToken=${due}; path=/"`);
    await visitor.press("Tab");
    await expect.poll(() => driver.evaluate("document.cookie")).not.toContain(due);
    expect(await driver.evaluate("document.cookie")).toContain("LoginToken=");
    expect(shop.takeRequests().filter((request) => request === renewal)).toHaveLength(1);
  });
});
