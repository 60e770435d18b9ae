import { expect } from "vitest";
import type { Site } from "../../server/sites/countries.ts";
import type { Shop } from "../browser/start-shop.ts";
import { texts } from "../support/test-app.ts";
import { customer, password } from "./engine-test.ts";
import type { PageWatch } from "./page-watch.ts";
import type { Visitor } from "./visitor.ts";

const loginForm = "[data-island=login] form";

/** Opens the login page, which is to lead on to the sign-up. */
export function openLogin(visitor: Visitor, shop: Shop, site: Site): Promise<void> {
  return visitor.open(shop.address(site, "/login?redirect=/subscribenewsletter"));
}

/**
 * Signs in on the login page with a wrong password, then with the right one, and expects to be led on.
 * @param refusal - how the service answers the wrong one
 */
export async function signInAtSecondTry(
  visitor: Visitor,
  shop: Shop & Pick<PageWatch, "takeFaults">,
  site: Site,
  refusal: string,
): Promise<void> {
  const text = texts.translator(site.locale, "login");
  await visitor.write(`${loginForm} [name=email]`, customer);
  await visitor.write(`${loginForm} [name=password]`, "wrong");
  await visitor.press("Enter");
  await expect.poll(() => visitor.text(`${loginForm} [role=alert]`)).toContain(text("error.unauthorized"));
  expect(shop.takeFaults()).toEqual([refusal]);
  await visitor.write(`${loginForm} [name=password]`, password);
  await visitor.click(`${loginForm} [type=submit]`);
  await expect.poll(() => visitor.address()).toBe(shop.address(site, "/subscribenewsletter"));
}
