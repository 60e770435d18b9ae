import { expect } from "vitest";
import type { Site } from "../../server/sites/countries.ts";
import type { Shop } from "../browser/start-shop.ts";
import { pageText } from "../support/newsletter-pages.ts";
import type { Visitor } from "./visitor.ts";

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
