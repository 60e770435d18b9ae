import { expect } from "vitest";
import type { Site } from "../../server/sites/countries.ts";
import type { Shop } from "../browser/start-shop.ts";
import { pageText } from "../support/newsletter-pages.ts";
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

const voucherCode = /^[2-9A-Z]{12}$/m;

/**
 * Fills in what the country requires.
 * @param block - selector of the sign-up block
 * @returns the address that was entered
 */
export async function fillInRequired(visitor: Visitor, block: string, { newsletter, site }: Site): Promise<string> {
  const email = `anna@${site.toLowerCase().replace("_", "-")}.example`;
  await visitor.write(`${block} [name=email]`, email);
  if (newsletter.salutation === "required") await visitor.choose(`${block} [name=salutation]`, "MRS");
  if (newsletter.names === "required") {
    await visitor.write(`${block} [name=firstName]`, "Anna");
    await visitor.write(`${block} [name=lastName]`, "Beispiel");
  }
  if (newsletter.legals) await visitor.click(`${block} [name=consents][value=NEWSLETTER]`);
  return email;
}

/** Opens the link of the mail in the whole window, presses its button, and expects the mail with the voucher. */
export async function confirm(visitor: Visitor, shop: Shop, site: Site, email: string): Promise<void> {
  const text = pageText(site);
  const [question = ""] = await shop.mailsTo(email);
  const [link = ""] = /http:\S+\/newsletter\/confirm\?token=\S+/.exec(question) ?? [];
  await visitor.open(link);
  await visitor.click("main form [type=submit]");
  await expect.poll(() => visitor.address()).toBe(shop.address(site, "/newsletter/confirmed"));
  await expect.poll(() => visitor.text("h1")).toBe(text("confirmed.title"));
  await expect.poll(async () => (await shop.mailsTo(email)).at(-1)).toMatch(voucherCode);
}
