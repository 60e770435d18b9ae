import type { Locator, Page } from "playwright";
import { expect } from "playwright/test";
import { describe } from "vitest";
import { honeypotName } from "../../client/rules/subscription.ts";
import { texts } from "../support/test-app.ts";
import { newsletterKinds, plainSite } from "./chosen-sites.ts";
import { address, answerSignUps, fillInRequired, messageOf, openNewsletter } from "./open-newsletter.ts";
import { test } from "./shop-test.ts";
import { desktop, phone } from "./viewports.ts";

const submit = (block: Locator) => block.locator("[type=submit]").click();

describe.for(newsletterKinds)("the form of $site", (site) => {
  const text = texts.translator(site.locale, "newsletter", { maxEmailLength: 256, maxNameLength: 40 });
  const { salutation, names, legals, familyNameFirst } = site.newsletter;
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
    await submit(block);
    const status = block.locator("[role=status]");
    await expect(status).toContainText(text("success.heading"));
    await expect(status).toContainText(address);
    await expect(status.getByText(address)).toBeInViewport();
    await expect(status.locator(":focus")).toHaveCount(1);
    await expect(block.locator("form")).toBeHidden();
    expect(await block.locator("[name=email]").inputValue()).toBe("");
    expect(sent).toHaveLength(1);
    expect(sent[0]?.url()).toContain("/service/newsletter/api/internal/newsletter-subscribers");
    expect(sent[0]?.headers()).toMatchObject({ "content-type": "application/json", "x-site": site.site });
    expect(sent[0]?.headers()["x-hunter-csrf"]).toBeTruthy();
    expect(sent[0]?.postDataJSON()).toEqual({
      email: address,
      ...(salutation === "required" && { salutation: "MRS" }),
      ...(names === "required" && { firstName: "Anna", lastName: "Beispiel" }),
      consents: legals ? ["NEWSLETTER"] : [],
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
  const text = texts.translator(site.locale, "newsletter", { maxEmailLength: 256, maxNameLength: 40 });

  test("objects to names with web addresses or too many letters, and to an address that is too long", async ({
    sharedPage,
    shop,
  }) => {
    const block = await openNewsletter(await sharedPage(desktop), shop, site);
    await block.locator("[name=email]").fill(`${"a".repeat(250)}@example.com`);
    await block.locator("[name=firstName]").fill("www.example.com");
    await block.locator("[name=lastName]").fill("x".repeat(41));
    await submit(block);
    expect(await messageOf(block.locator("[name=email]"))).toContain("256");
    expect(await messageOf(block.locator("[name=firstName]"))).toContain(text("error.name.invalid"));
    expect(await messageOf(block.locator("[name=lastName]"))).toContain("40");
  });

  test("disables its fields while it is sent, once, and keeps the focus", async ({ sharedPage, shop }) => {
    const page = await sharedPage(desktop);
    const answered = Promise.withResolvers<void>();
    let calls = 0;
    await page.route("**/newsletter-subscribers", async (route) => {
      calls += 1;
      await answered.promise;
      await route.fulfill({ status: 202, json: { status: "ACCEPTED" } });
    });
    const block = await openNewsletter(page, shop, site);
    await block.locator("[name=email]").fill(address);
    await block.locator("[name=email]").press("Enter");
    const button = block.locator("[type=submit]");
    await expect(button).toHaveAttribute("aria-busy", "true");
    await expect(button).toBeFocused();
    for (const name of ["email", "salutation", "firstName", "lastName"]) {
      await expect(block.locator(`[name=${name}]`)).toBeDisabled();
    }
    await button.press("Enter");
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
    // A bot's address needn't be one: the form without script thanks it all the same.
    await block.locator("[name=email]").fill("casino");
    await block.locator(`[name=${honeypotName}]`).evaluate((field: HTMLInputElement) => {
      field.value = "https://casino.example";
    });
    await submit(block);
    await expect(block.locator("[role=status]")).toContainText("casino");
    expect(sent).toEqual([]);
    expect((await events()).window).toEqual([signUp]);
  });

  test("sends the consent to personalised offers that was given", async ({ sharedPage, shop }) => {
    const page = await sharedPage(desktop);
    const sent = await answerSignUps(page);
    const block = await openNewsletter(page, shop, site);
    await block.locator("[name=email]").fill(address);
    await block.locator(".sf-expandable-summary").click();
    await block.locator("[value=DNE]").check();
    await submit(block);
    await expect(block.locator("[role=status]")).toContainText(address);
    expect(sent[0]?.postDataJSON()).toMatchObject({ consents: ["DNE"] });
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

/** @returns gives the tracking events so far, as they came on window and in dataLayer */
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
