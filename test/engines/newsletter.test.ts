import { describe, expect } from "vitest";
import { plainSite, siteWith } from "../browser/chosen-sites.ts";
import { blockText } from "../support/newsletter-pages.ts";
import { test } from "./engine-test.ts";
import { confirm, fillInRequired } from "./steps.ts";

const block = "[data-island=newsletter]";

describe("the newsletter with the longest form", () => {
  const site = siteWith(({ newsletter }) => newsletter.legals);

  test("leads on a phone from the footer by the mail's link to the voucher", async ({ shop, visitor }) => {
    await visitor.openOnPhone(shop.address(site));
    await visitor.wake(block);
    const email = await fillInRequired(visitor, block, site);
    await visitor.click(`${block} [type=submit]`);
    await expect.poll(() => visitor.text(`${block} [role=status]`)).toContain(email);
    await expect.poll(() => visitor.hasFocus(`${block} [role=status] *`)).toBe(true);
    expect(await visitor.isShown(`${block} form`)).toBe(false);
    await confirm(visitor, shop, site, email);
  });
});

describe("the newsletter", () => {
  const site = plainSite;
  const text = blockText(site);

  test("says what is wrong when a field is left, and takes it once it is right", async ({ shop, visitor }) => {
    await visitor.open(shop.address(site));
    await visitor.wake(block);
    await visitor.write(`${block} [name=email]`, "anna@nowhere");
    await visitor.press("Tab");
    await expect.poll(() => visitor.text(block)).toContain(text("error.email.invalid"));
    await visitor.write(`${block} [name=email]`, "anna@right.example");
    await expect.poll(() => visitor.text(block)).not.toContain(text("error.email.invalid"));
    await visitor.press("Enter");
    await expect.poll(() => visitor.text(`${block} [role=status]`)).toContain(text("success.heading"));
  });
});
