import type { Locator } from "playwright";
import { expect } from "playwright/test";
import { describe } from "vitest";
import { texts } from "../support/test-app.ts";
import { plainSite } from "./chosen-sites.ts";
import { answerSignUps, messageOf, openNewsletter } from "./open-newsletter.ts";
import { test } from "./shop-test.ts";
import { desktop, phone } from "./viewports.ts";

const extra = ["salutation", "firstName", "lastName"];

describe("the form", () => {
  const site = plainSite;
  const text = texts.translator(site.locale, "newsletter");

  test("shows its other fields once the first has the focus, and its legal text when it is expanded", async ({
    sharedPage,
    shop,
  }) => {
    const block = await openNewsletter(await sharedPage(phone), shop, site);
    for (const name of extra) await expect(block.locator(`[name=${name}]`)).toBeHidden();
    await block.locator("[name=email]").tap();
    for (const name of extra) await expect(block.locator(`[name=${name}]`)).toBeVisible();
    await block.locator("[name=email]").blur();
    for (const name of extra) await expect(block.locator(`[name=${name}]`)).toBeVisible();
    const legal = block.locator(".sf-expandable-frame");
    expect((await legal.boundingBox())?.height).toBe(60);
    await block.locator(".sf-expandable-control").tap();
    await expect.poll(async () => (await legal.boundingBox())?.height).toBeGreaterThan(200);
  });

  test("reports a required field that was visited and left empty, and no other", async ({ sharedPage, shop }) => {
    const block = await openNewsletter(await sharedPage(desktop), shop, site);
    for (const name of ["email", "firstName"]) {
      await block.locator(`[name=${name}]`).focus();
      await block.locator(`[name=${name}]`).press("Tab");
    }
    await expect.poll(() => messageOf(block.locator("[name=email]"))).toContain(text("error.email.required"));
    await expect(block.locator("[aria-invalid]")).toHaveCount(1);
  });

  test("checks a field when it is left, and takes the message back as soon as the value is right", async ({
    sharedPage,
    shop,
  }) => {
    const block = await openNewsletter(await sharedPage(desktop), shop, site);
    const email = block.locator("[name=email]");
    await email.pressSequentially("anna@example");
    // As when another window gets the focus.
    await email.dispatchEvent("focusout");
    await showFrames(email);
    await expect(email).not.toHaveAttribute("aria-invalid");
    await email.press("Tab");
    await expect(email).toHaveAttribute("aria-invalid", "true");
    expect(await messageOf(email)).toContain(text("error.email.invalid"));
    await email.press("End");
    await email.pressSequentially(".c");
    await expect(email).toHaveAttribute("aria-invalid", "true");
    await email.pressSequentially("om");
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
