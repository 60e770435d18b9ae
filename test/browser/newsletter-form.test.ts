import type { Locator, Page } from "playwright";
import { describe } from "vitest";
import { honeypotName } from "../../client/rules/subscription.ts";
import { texts } from "../support/test-app.ts";
import { answerRequests } from "./answer-requests.ts";
import { plainSite, siteWith } from "./chosen-sites.ts";
import { expect } from "./expect.ts";
import {
  address,
  answerSignUps,
  fillInRequired,
  messageOf,
  openNewsletter,
  submitByScript,
} from "./open-newsletter.ts";
import { test } from "./shop-test.ts";
import { desktop, phone } from "./viewports.ts";

const extra = ["salutation", "firstName", "lastName"];

const submit = (block: Locator) => block.locator("[type=submit]").click();

/** The sites whose forms require most. */
const demanding = [
  siteWith(({ newsletter }) => newsletter.salutation === "required"),
  siteWith(({ newsletter }) => newsletter.legals),
];

describe.for(demanding)("the form of $site", (site) => {
  const text = texts.translator(site.locale, "newsletter");
  const { salutation, names, legals, familyNameFirst, personalisedOffers } = site.newsletter;
  const requiredFields = ["email"];
  if (salutation === "required") requiredFields.push("salutation");
  if (names === "required") requiredFields.push("firstName", "lastName");

  test("names everything that is missing at once, and leads to the first field", async ({ sharedPage, shop }) => {
    const page = await sharedPage(phone);
    const sent = await answerSignUps(page);
    const block = await openNewsletter(page, shop, site);
    await submit(block);
    const invalid = block.locator("[aria-invalid=true]");
    await expect(invalid).toHaveCount(requiredFields.length + Number(legals));
    for (const name of requiredFields) {
      const field = block.locator(`[name=${name}]`);
      expect(await messageOf(field)).toContain(text(`error.${name}.required` as "error.email.required"));
    }
    if (legals) {
      expect(await messageOf(block.locator("[name=consents][value=NEWSLETTER]"))).toContain(
        text("error.legals.required"),
      );
    }
    await expect(block.locator("[name=email]")).toBeFocused();
    await expect(block.locator("label:has-text('@'), label").first()).toBeInViewport();
    const order = familyNameFirst ? ["lastName", "firstName"] : ["firstName", "lastName"];
    const inputs = await block.locator(".sf-newsletter-names input").all();
    expect(await Promise.all(inputs.map((input) => input.getAttribute("name")))).toEqual(order);
    for (const [name, autofill] of Object.entries({ firstName: "given-name", lastName: "family-name" })) {
      await expect(block.locator(`[name=${name}]`)).toHaveAttribute("autocomplete", autofill);
    }
    if (names === "required") {
      await block.locator("[name=email]").fill(address);
      if (salutation === "required") await block.locator("[name=salutation]").selectOption("MRS");
      await submit(block);
      await expect(block.locator(`[name=${order[0]}]`)).toBeFocused();
    }
    expect(sent).toEqual([]);
  });

  test("signs up, shows the address in view, hides and empties the form, and tells analytics", async ({
    sharedPage,
    shop,
  }) => {
    const page = await sharedPage(phone);
    const sent = await answerSignUps(page);
    const block = await openNewsletter(page, shop, site);
    const events = await listenToTracking(page);
    await fillInRequired(block, site);
    if (personalisedOffers === "expandable") await block.locator(".sf-expandable-summary").click();
    await block.locator("[value=DNE]").check();
    await submit(block);
    const status = block.locator("[role=status]");
    await expect(status).toContainText(text("success.heading"));
    await expect(status).toContainText(address);
    await expect(status.getByText(address)).toBeInViewport();
    await expect(status.locator(":focus")).toHaveCount(1);
    await expect(block.locator("form")).toBeHidden();
    expect(await block.locator("[name=email]").inputValue()).toBe("");
    expect(sent).toHaveLength(1);
    expect(sent[0]?.url).toContain("/service/newsletter/api/internal/newsletter-subscribers");
    expect(sent[0]?.headers).toMatchObject({ "content-type": "application/json", "x-site": site.site });
    expect(sent[0]?.headers["x-hunter-csrf"]).toBeTruthy();
    expect(sent[0]?.json()).toEqual({
      email: address,
      ...(salutation === "required" && { salutation: "MRS" }),
      ...(names === "required" && { firstName: "Anna", lastName: "Beispiel" }),
      consents: legals ? ["DNE", "NEWSLETTER"] : ["DNE"],
      origin: "NEWSLETTER",
      originAddition: "footer",
    });
    expect(await events()).toEqual({ window: [signUp], dataLayer: [signUp] });
  });
});

const signUp = {
  event: "sign_up",
  subject: "newsletter",
  origin: "NEWSLETTER:footer",
  type: "ga4",
  emitter: "newsletter service",
};

describe("the form", () => {
  const site = plainSite;
  const text = texts.translator(site.locale, "newsletter");

  test("shows its other fields once the first is used, and its legal text when it is expanded", async ({
    sharedPage,
    shop,
  }) => {
    const block = await openNewsletter(await sharedPage(phone), shop, site);
    for (const name of extra) await expect(block.locator(`[name=${name}]`)).toBeHidden();
    await block.locator("[name=email]").tap();
    for (const name of extra) await expect(block.locator(`[name=${name}]`)).toBeVisible();
    const legal = block.locator(".sf-expandable-frame");
    expect((await legal.boundingBox())?.height).toBe(60);
    await block.locator(".sf-expandable-control").tap();
    await expect.poll(async () => (await legal.boundingBox())?.height).toBeGreaterThan(200);
  });

  test("checks a field when it is left, and takes the message back as soon as the value is right", async ({
    sharedPage,
    shop,
  }) => {
    const block = await openNewsletter(await sharedPage(desktop), shop, site);
    const email = block.locator("[name=email]");
    await email.pressSequentially("anna@example");
    // The same event as when another window gets the focus.
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

  test("disables its fields while it is sent, once, and keeps the focus", async ({ sharedPage, shop }) => {
    const page = await sharedPage(desktop);
    const answered = Promise.withResolvers<void>();
    let calls = 0;
    await answerRequests(page, "*/newsletter-subscribers", async (request) => {
      calls += 1;
      await answered.promise;
      await request.fulfill({ status: 202, json: { status: "ACCEPTED" } });
    });
    const block = await openNewsletter(page, shop, site);
    await block.locator("[name=email]").fill(address);
    await block.locator("[name=email]").press("Enter");
    const button = block.locator("[type=submit]");
    await expect(button).toHaveAttribute("aria-busy", "true");
    await expect(button).toBeFocused();
    for (const name of ["email", ...extra]) await expect(block.locator(`[name=${name}]`)).toBeDisabled();
    await button.press("Enter");
    await button.hover();
    await page.mouse.down();
    await expect(button, "a button that does nothing shows no press").not.toHaveAttribute("data-ripple");
    await page.mouse.up();
    await submitByScript(block.locator("form"));
    answered.resolve();
    await expect(block.locator("[role=status]")).toContainText(address);
    expect(calls).toBe(1);
  });

  test("sends nothing for a bot that fills the hidden field, shows success and tells analytics", async ({
    sharedPage,
    shop,
  }) => {
    const page = await sharedPage(desktop);
    const sent = await answerSignUps(page);
    const block = await openNewsletter(page, shop, site);
    const events = await listenToTracking(page);
    // A bot's address may be invalid. The form without script thanks it, too.
    await block.locator("[name=email]").fill("casino");
    await block.locator(`[name=${honeypotName}]`).evaluate((field: HTMLInputElement) => {
      field.value = "https://casino.example";
    });
    await submit(block);
    await expect(block.locator("[role=status]")).toContainText("casino");
    expect(sent).toEqual([]);
    expect((await events()).window).toEqual([signUp]);
  });

  test("offers to correct a provider's name that is mistyped, and leaves what was typed", async ({
    sharedPage,
    shop,
  }) => {
    const block = await openNewsletter(await sharedPage(desktop), shop, site);
    const email = block.locator("[name=email]");
    await email.fill("anna@gmial.com");
    await email.press("Tab");
    const offer = block.getByRole("button", { name: "anna@gmail.com" });
    await expect(offer).toHaveAccessibleDescription(text("typo"));
    await expect(email).toHaveValue("anna@gmial.com");
    await email.fill("anna@gmil.com");
    await expect(offer).toHaveCount(0);
    await email.press("Tab");
    await offer.press("Enter");
    await expect(email).toHaveValue("anna@gmail.com");
    await expect(email).toBeFocused();
    await expect(block.getByText(text("typo"))).toHaveCount(0);
  });

  test("shows at the field that the service refuses the address", async ({ shop, unwatchedPage }) => {
    const page = await unwatchedPage(desktop);
    await answerSignUps(page, { status: 400, json: { type: "INVALID_EMAIL" } });
    const block = await openNewsletter(page, shop, site);
    const email = block.locator("[name=email]");
    await email.fill(address);
    await submit(block);
    await expect(email).toHaveAttribute("aria-invalid", "true");
    await expect(email).toBeFocused();
    await expect(email).toHaveValue(address);
    expect(await messageOf(email)).toContain(text("error.email.invalid"));
    await expect(block.locator("[role=alert]")).toHaveText("");
  });

  test("keeps the values and shows the error bar after a failure", async ({ shop, unwatchedPage }) => {
    const page = await unwatchedPage(desktop);
    await answerSignUps(page, { status: 503, json: { type: "UNAVAILABLE" } });
    const block = await openNewsletter(page, shop, site);
    const events = await listenToTracking(page);
    await block.locator("[name=email]").fill(address);
    await block.locator("[name=firstName]").fill("Anna");
    await submit(block);
    await expect(block.locator("[role=alert]")).toContainText(text("bar.technical"));
    await expect(block.locator("[role=alert]")).toBeInViewport();
    await expect(block.locator("[name=email]")).toHaveValue(address);
    await expect(block.locator("[name=email]")).toBeEnabled();
    await expect(block.locator("[name=firstName]")).toHaveValue("Anna");
    expect(await events()).toEqual({ window: [], dataLayer: [] });
  });
});

/**
 * @returns a function that returns the tracking events so far, from window and from dataLayer
 */
async function listenToTracking(page: Page) {
  await page.evaluate(() => {
    Object.assign(window, { heard: [] });
    window.addEventListener("storefront:tracking", (event) => {
      Reflect.get(window, "heard").push((event as CustomEvent).detail);
    });
  });
  return () =>
    page.evaluate(() => ({ window: Reflect.get(window, "heard"), dataLayer: Reflect.get(window, "dataLayer") ?? [] }));
}

/** Makes a button behave as in Safari on macOS: a click on it takes the focus from the field, and moves it nowhere. */
function clickWithoutFocus(button: Element) {
  button.addEventListener("mousedown", (event) => {
    event.preventDefault();
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
}

/** Waits for ten frames, after which a message would have been shown. */
function showFrames(field: Locator): Promise<void> {
  return field.evaluate(async () => {
    for (let count = 0; count < 10; count += 1) await new Promise(requestAnimationFrame);
  });
}
