import type { Page } from "playwright";
import { describe } from "vitest";
import type { Site } from "../../server/sites/countries.ts";
import { writeToken } from "../client/features/session/write-token.ts";
import { type AnswerRequest, answerRequests, type PausedRequest } from "./answer-requests.ts";
import { anySite, siteWith } from "./chosen-sites.ts";
import { expect } from "./expect.ts";
import { showHostPage } from "./host-page.ts";
import { answerSignUps, openNewsletter } from "./open-newsletter.ts";
import { test } from "./shop-test.ts";
import type { Shop } from "./start-shop.ts";
import { desktop } from "./viewports.ts";

const customer = { email: "anna@example.com", salutation: "MRS", firstName: "Anna", lastName: "Beispiel" };

/** Sites with the longest form that lock the known data of a customer, and that don't. */
const lockingAndNot = [true, false].map((locks) =>
  siteWith(({ newsletter: { lockPrefilled, legals } }) => lockPrefilled === locks && legals === locks),
);

describe.for(lockingAndNot)("the form of $site", (site) => {
  test("fills in what is known of a customer when it is seen, and locks it where the country wants that", async ({
    sharedPage,
    shop,
  }) => {
    const page = await sharedPage(desktop);
    const sent = await answerSignUps(page);
    await signIn(page, shop, site, { ...customer, consents: [] });
    await page.goto(shop.address(site));
    const block = page.locator("[data-island=newsletter]");
    await block.scrollIntoViewIfNeeded();
    for (const [name, value] of Object.entries(customer)) {
      const field = block.locator(`[name=${name}]`);
      await expect(field).toHaveValue(value);
      await expect(field).toBeVisible();
      await expect(field).toBeEnabled({ enabled: !(site.newsletter.lockPrefilled && name !== "email") });
    }
    if (site.newsletter.legals) await block.locator("[name=consents][value=NEWSLETTER]").check();
    await block.locator("[type=submit]").click();
    await expect(block.locator("[role=status]")).toContainText(customer.email);
    expect(sent[0]?.json()).toMatchObject(customer);
  });
});

describe("the form", () => {
  const site = siteWith(
    ({ newsletter }) => newsletter.lockPrefilled && !newsletter.legals && newsletter.names === "optional",
  );

  test("neither asks for nor sends a consent to personalised offers that the customer has given", async ({
    sharedPage,
    shop,
  }) => {
    const page = await sharedPage(desktop);
    const sent = await answerSignUps(page);
    await signIn(page, shop, site, { ...customer, consents: ["DNE"] });
    const block = await openNewsletter(page, shop, site);
    await expect(block.locator("[name=email]")).toHaveValue(customer.email);
    await expect(block.locator("[value=DNE]")).toHaveCount(0);
    await block.locator("[type=submit]").click();
    await expect(block.locator("[role=status]")).toContainText(customer.email);
    expect(sent[0]?.json()).toMatchObject({ consents: [] });
  });

  test("that a page inserts later is filled in when it is seen, too", async ({ sharedPage, shop }) => {
    const page = await sharedPage(desktop);
    await signIn(page, shop, site, customer);
    await showHostPage(page, shop, { site, parameters: { newsletter: "false" } });
    const markup = await (await fetch(`${shop.listener}/fragments/newsletter?site=${site.site}`)).text();
    await page.locator("main").evaluate((main, html) => main.insertAdjacentHTML("beforeend", html), markup);
    await expect(page.locator("[name=email]")).toHaveValue(customer.email);
  });

  test("never overwrites or locks what was typed before the answer came", async ({ sharedPage, shop }) => {
    const page = await sharedPage(desktop);
    const asked = Promise.withResolvers<void>();
    await signIn(page, shop, site, customer, asked.promise);
    const block = await openNewsletter(page, shop, site);
    await block.locator("[name=email]").fill("bert@example.com");
    await block.locator("[name=firstName]").fill("Bert");
    asked.resolve();
    await expect(block.locator("[name=lastName]")).toHaveValue("Beispiel");
    await expect(block.locator("[name=email]")).toHaveValue("bert@example.com");
    await expect(block.locator("[name=firstName]")).toHaveValue("Bert");
    await expect(block.locator("[name=firstName]")).toBeEnabled();
    await expect(block.locator("[name=lastName]")).toBeDisabled();
  });

  test("never takes the focus away from a visitor who enters a field while it is filled in", async ({
    sharedPage,
    shop,
  }) => {
    const page = await sharedPage(desktop);
    const asked = Promise.withResolvers<void>();
    await signIn(page, shop, site, customer, asked.promise);
    const block = await openNewsletter(page, shop, site);
    const [email, lastName] = [block.locator("[name=email]"), block.locator("[name=lastName]")];
    await email.focus();
    await lastName.evaluate((field: HTMLInputElement) => {
      const value = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
      Object.defineProperty(field, "value", {
        ...value,
        set(text: string) {
          value?.set?.call(field, text);
          queueMicrotask(() => field.focus());
        },
      });
    });
    asked.resolve();
    await expect(lastName).toBeDisabled();
    await expect(email).toBeFocused();
    await expect(email).toHaveValue("");
  });

  test("locks nothing that the customer has to put right", async ({ sharedPage, shop }) => {
    const page = await sharedPage(desktop);
    const sent = await answerSignUps(page);
    await signIn(page, shop, site, { ...customer, lastName: "Beispiel!", consents: [] });
    const block = await openNewsletter(page, shop, site);
    const lastName = block.locator("[name=lastName]");
    await expect(lastName).toHaveValue("Beispiel!");
    await expect(block.locator("[name=firstName]")).toBeDisabled();
    await block.locator("[type=submit]").click();
    await expect(lastName).toBeFocused();
    await lastName.fill("O’Brien");
    await block.locator("[type=submit]").click();
    await expect(block.locator("[role=status]")).toContainText(customer.email);
    expect(sent[0]?.json()).toMatchObject({ ...customer, lastName: "O'Brien" });
  });

  test("asks nobody for a visitor who isn't signed in", async ({ sharedPage, shop }) => {
    const page = await sharedPage(desktop);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    const block = await openNewsletter(page, shop, site);
    await block.locator("[name=email]").focus();
    await expect(block.locator("[name=firstName]")).toBeVisible();
    expect(asked.filter((url) => url.includes("base-data"))).toEqual([]);
  });
});

describe("a page of somebody else", () => {
  const site = anySite;

  test.for(["WAITING_FOR_DOI", "SUBSCRIBED"])(
    "takes the newsletter out of every footer when the visitor's status is %s",
    async (status, { sharedPage, shop }) => {
      const page = await sharedPage(desktop);
      await signIn(page, shop, site, {});
      const cookies: (string | undefined)[] = [];
      shop.answer(shop.address(site, statusPath), (request, response) => {
        cookies.push(request.headers.cookie);
        response.setHeader("Content-Type", "application/json").end(JSON.stringify({ status }));
      });
      await answerStatus(page, (request) => request.continue());
      await showHostPage(page, shop, { site });
      await expect(newsletters(page)).toHaveCount(0);
      expect(cookies).toEqual([expect.stringContaining("LoginToken=")]);
    },
  );

  test("keeps a newsletter that the visitor presses or uses, until it is released or left", async ({
    sharedPage,
    shop,
  }) => {
    const page = await sharedPage(desktop);
    await signIn(page, shop, site, {});
    const used = Promise.withResolvers<void>();
    await answerStatus(page, async (request) => {
      await used.promise;
      await request.fulfill({ json: { status: "SUBSCRIBED" } });
    });
    await showHostPage(page, shop, { site, include: (footer) => [footer, footer, footer] });
    await expect(newsletters(page)).toHaveCount(3);
    await newsletters(page).first().getByRole("heading").hover();
    await page.mouse.down();
    const email = newsletters(page).last().locator("[name=email]");
    await email.focus();
    used.resolve();
    await expect(newsletters(page)).toHaveCount(2);
    await page.mouse.up();
    await expect(newsletters(page)).toHaveCount(1);
    await email.pressSequentially("ada@shop.example");
    await expect(email).toBeFocused();
    await page.locator("[data-section=legal] a").first().focus();
    await expect(newsletters(page)).toHaveCount(0);
  });

  test.for<[string, AnswerRequest]>([
    ["has another status", (request) => request.fulfill({ json: { status: "UNSUBSCRIBED" } })],
    ["gets no answer", (request) => request.abort("aborted")],
  ])("keeps the newsletter when the visitor %s", async ([, answer], { sharedPage, shop }) => {
    const page = await sharedPage(desktop);
    await signIn(page, shop, site, {});
    const asked = await answerStatus(page, answer);
    await showHostPage(page, shop, { site });
    await expect.poll(() => asked.length).toBe(1);
    await page.waitForLoadState("networkidle");
    await expect(newsletters(page)).toHaveCount(2);
  });

  test("doesn't ask for the status of a visitor who isn't logged in, or where no newsletter shows", async ({
    sharedPage,
    shop,
  }) => {
    const page = await sharedPage(desktop);
    await expectNotAsked(page, () => showHostPage(page, shop, { site }));
    await expect(newsletters(page)).toHaveCount(2);
    await signIn(page, shop, site, {});
    await expectNotAsked(page, () => showHostPage(page, shop, { site, include: (footer) => [hidden + footer] }));
    await page.context().addCookies([{ name: "xc-app", value: "new", url: shop.address(site) }]);
    await expectNotAsked(page, () => showHostPage(page, shop, { site }));
  });
});

/** A page's own way to hide the newsletter before the footer has loaded. */
const hidden = '<script>document.documentElement.dataset.newsletterFormHidden = "true"</script>';

const statusPath = "/service/newsletter/api/private/customers/newsletter-status";

async function signIn(page: Page, shop: Shop, site: Site, known: object, answered?: Promise<void>) {
  await answerRequests(page, `*${statusPath}`, (request) => request.fulfill({ json: { status: "NONE" } }));
  await answerRequests(page, "*/service/newsletter/api/private/customers/base-data", async (request) => {
    await answered;
    await request.fulfill({ json: known });
  });
  // Set last, because an open page may make calls at once.
  const LoginToken = writeToken({ ren: 600, exp: 3600 });
  await page.context().addCookies([{ name: "LoginToken", value: LoginToken, url: shop.address(site) }]);
}

function newsletters(page: Page) {
  return page.locator("[data-fragment] [data-section=newsletter]");
}

/**
 * @returns the status requests; the list grows
 */
async function answerStatus(page: Page, answer: AnswerRequest): Promise<PausedRequest[]> {
  const asked: PausedRequest[] = [];
  await answerRequests(page, `*${statusPath}`, async (request) => {
    asked.push(request);
    await answer(request);
  });
  return asked;
}

async function expectNotAsked(page: Page, show: () => Promise<void>) {
  const asked = await answerStatus(page, (request) => request.fulfill({ json: { status: "SUBSCRIBED" } }));
  const assigned = page.waitForResponse(/\/getassignment$/);
  await show();
  await assigned;
  expect(asked).toEqual([]);
}
