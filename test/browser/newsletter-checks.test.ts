import type { Locator } from "playwright";
import { expect } from "playwright/test";
import { describe } from "vitest";
import { texts } from "../support/test-app.ts";
import { newsletterKinds, plainSite } from "./chosen-sites.ts";
import { answerSignUps, messageOf, openNewsletter } from "./open-newsletter.ts";
import { test } from "./shop-test.ts";
import { desktop } from "./viewports.ts";

describe.for(newsletterKinds)("the form of $site", (site) => {
  const text = texts.translator(site.locale, "newsletter");
  const { salutation, names, legals, familyNameFirst } = site.newsletter;

  test("says of every required field that was left empty that it is required, and of no other", async ({
    sharedPage,
    shop,
  }) => {
    const block = await openNewsletter(await sharedPage(desktop), shop, site);
    const fields = [
      { field: block.locator("[name=email]"), missing: text("error.email.required") },
      {
        field: block.locator("[name=salutation]"),
        missing: salutation === "required" && text("error.salutation.required"),
      },
      { field: block.locator("[name=firstName]"), missing: names === "required" && text("error.firstName.required") },
      { field: block.locator("[name=lastName]"), missing: names === "required" && text("error.lastName.required") },
      { field: block.locator("[name=consents][value=NEWSLETTER]"), missing: legals && text("error.legals.required") },
    ];
    await expect(block.locator("[aria-invalid]")).toHaveCount(0);
    for (const { field, missing } of fields) {
      if ((await field.count()) === 0) continue;
      await field.focus();
      await field.press("Tab");
      if (missing) await expect.poll(() => messageOf(field)).toContain(missing);
    }
    await expect(block.locator("[aria-invalid]")).toHaveCount(fields.filter(({ missing }) => missing).length);
  });

  test("asks for the names in the order of the country", async ({ sharedPage, shop }) => {
    const block = await openNewsletter(await sharedPage(desktop), shop, site);
    const order = await block.locator(".sf-newsletter-names input").evaluateAll(namesOf);
    expect(order).toEqual(familyNameFirst ? ["lastName", "firstName"] : ["firstName", "lastName"]);
    if (names === "optional") return;
    await block.locator("[name=email]").fill("anna@example.com");
    if (salutation === "required") await block.locator("[name=salutation]").selectOption("MRS");
    await block.locator("[type=submit]").click();
    await expect(block.locator(`[name=${order[0]}]`)).toBeFocused();
  });
});

describe("the form", () => {
  const site = plainSite;
  const text = texts.translator(site.locale, "newsletter");

  test("checks a field when it is left, not while somebody types", async ({ sharedPage, shop }) => {
    const block = await openNewsletter(await sharedPage(desktop), shop, site);
    const email = block.locator("[name=email]");
    await email.pressSequentially("anna@");
    await expect(email).not.toHaveAttribute("aria-invalid");
    await email.press("Tab");
    await expect(email).toHaveAttribute("aria-invalid", "true");
    expect(await messageOf(email)).toContain(text("error.email.invalid"));
  });

  test("takes a message back as soon as the value is right", async ({ sharedPage, shop }) => {
    const block = await openNewsletter(await sharedPage(desktop), shop, site);
    const email = block.locator("[name=email]");
    await email.fill("anna@example");
    await email.press("Tab");
    await expect(email).toHaveAttribute("aria-invalid", "true");
    await email.press("End");
    await email.pressSequentially(".c");
    await expect(email).toHaveAttribute("aria-invalid", "true");
    await email.pressSequentially("om");
    await expect(email).not.toHaveAttribute("aria-invalid");
  });

  test("says nothing of a field that a visitor comes back to", async ({ sharedPage, shop }) => {
    const block = await openNewsletter(await sharedPage(desktop), shop, site);
    const email = block.locator("[name=email]");
    const firstName = block.locator("[name=firstName]");
    await email.focus();
    await firstName.evaluate((input: HTMLInputElement) => (input.value = "www.example.com"));
    for (const field of [email, firstName]) await field.dispatchEvent("focusout");
    await expect(firstName).toHaveAttribute("aria-invalid", "true");
    await expect(email).not.toHaveAttribute("aria-invalid");
  });

  test("moves nothing from under the pointer, also where a click gives no button the focus", async ({
    sharedPage,
    shop,
  }) => {
    const page = await sharedPage(desktop);
    const sent = await answerSignUps(page);
    const block = await openNewsletter(page, shop, site);
    const button = block.locator("[type=submit]");
    await button.evaluate(clickWithoutFocus);
    const email = block.locator("[name=email]");
    await email.fill("anna@");
    await button.hover({ position: { x: 20, y: 3 } });
    const before = await button.boundingBox();
    await page.mouse.down();
    await expect(email).not.toBeFocused();
    await showFrames(email);
    expect(await button.boundingBox()).toEqual(before);
    await page.mouse.up();
    await expect(email).toBeFocused();
    expect(await messageOf(email)).toContain(text("error.email.invalid"));
    expect(sent).toEqual([]);
  });
});

function namesOf(fields: Element[]): (string | null)[] {
  return fields.map((field) => field.getAttribute("name"));
}

/** Makes a button as in Safari on macOS: a click on it takes the focus from the field, and gives it to nothing. */
function clickWithoutFocus(button: Element) {
  button.addEventListener("mousedown", (event) => {
    event.preventDefault();
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
}

/** Waits until the page was painted ten times: by then a message would be there. */
function showFrames(field: Locator): Promise<void> {
  return field.evaluate(async () => {
    for (let count = 0; count < 10; count += 1) await new Promise(requestAnimationFrame);
  });
}
