import { describe, expect } from "vitest";
import { plainSite, siteWith } from "../../browser/chosen-sites.ts";
import { blockText } from "../../support/newsletter-pages.ts";
import { test } from "../engine-test.ts";

const block = "[data-island=newsletter]";

describe("the newsletter with the longest form", () => {
  const site = siteWith(({ newsletter }) => newsletter.legals);

  test("is sent on a phone", async ({ shop, visitor }) => {
    await visitor.openOnPhone(shop.address(site));
    await visitor.wake(block);
    const email = "anna@longest.example";
    await visitor.write(`${block} [name=email]`, email);
    await visitor.write(`${block} [name=firstName]`, "Anna");
    await visitor.write(`${block} [name=lastName]`, "Beispiel");
    await visitor.click(`${block} [name=consents][value=NEWSLETTER]`);
    await visitor.click(`${block} [type=submit]`);
    await expect.poll(() => visitor.text(`${block} [role=status]`)).toContain(email);
    await expect.poll(() => visitor.hasFocus(`${block} [role=status] *`)).toBe(true);
    expect(await visitor.isShown(`${block} form`)).toBe(false);
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
