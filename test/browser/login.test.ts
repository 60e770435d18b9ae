import type { Locator, Page } from "playwright";
import { describe } from "vitest";
import { addAccount } from "../../server/accounts/accounts.ts";
import type { Site } from "../../server/sites/countries.ts";
import { texts } from "../support/test-app.ts";
import { answerRequests, type PausedRequest } from "./answer-requests.ts";
import { anySite } from "./chosen-sites.ts";
import { expect } from "./expect.ts";
import { messageOf, submitByScript } from "./open-newsletter.ts";
import { test as base } from "./shop-test.ts";
import type { Shop } from "./start-shop.ts";
import { desktop, phone } from "./viewports.ts";

const email = "demo@example.com";
const password = "correct horse battery staple";
const low = { viewport: { width: 375, height: 300 } };
const api = "/service/login/api/v1/login";
const event = {
  event: "login",
  subject: "webshop_account",
  origin: "login_page",
  type: "ga4",
  emitter: "login service",
};

/** A test whose shop also has a customer, who signs in with the password. */
const test = base.extend("customer", { scope: "file" }, async ({ shop }) => {
  const name = { firstName: "Erika", lastName: "Mustermann" };
  await addAccount(shop.store.db, "customer", { email, password, salutation: "MRS", ...name });
  return { email, password };
});

describe("the login form", () => {
  const site = anySite;
  const text = texts.translator(site.locale, "login");

  test("announces wrong credentials, keeps what was entered, and takes the right ones then", async ({
    customer,
    shop,
    unwatchedPage,
  }) => {
    const page = await unwatchedPage(desktop);
    const form = await openLogin(page, shop, site);
    await fillIn(form, "wrong");
    const alert = await form.getByRole("alert").elementHandle();
    await submit(form);
    await expect(form.getByRole("alert")).toContainText(text("error.unauthorized"));
    expect(await alert?.evaluate((region) => region.isConnected && region.textContent)).toMatch(/\S/);
    await expectKept(form, "wrong");
    expect(page.url()).toBe(shop.address(site, "/login"));
    await form.locator("[name=password]").fill(customer.password);
    await submit(form);
    await page.waitForURL(shop.address(site));
  });

  test("says in words how long to wait, and keeps what was entered", async ({ shop, unwatchedPage }) => {
    const page = await unwatchedPage(low);
    const form = await openLogin(page, shop, site);
    await answerRequests(page, `*${api}`, (request) =>
      request.fulfill({ status: 429, headers: { "Retry-After": "125" } }),
    );
    await fillIn(form);
    await submit(form);
    await expect(form.getByRole("alert")).toContainText(text("error.throttled"));
    await expect(form.getByRole("alert")).toContainText(
      new Intl.NumberFormat(site.locale, { style: "unit", unit: "minute", unitDisplay: "long" }).format(3),
    );
    await expect(form.getByRole("alert")).toBeInViewport({ ratio: 1 });
    await expectKept(form);
    let shownMeanwhile: string | null = null;
    await answerRequests(page, `*${api}`, async (request) => {
      shownMeanwhile = await form.getByRole("alert").textContent();
      await request.fulfill({ status: 429 });
    });
    await submit(form);
    await expect(form.getByRole("alert"), "a minute, where the service says nothing").toContainText(
      new Intl.NumberFormat(site.locale, { style: "unit", unit: "minute", unitDisplay: "long" }).format(1),
    );
    expect(shownMeanwhile, "screen readers announce the same message again only after none").toBe("");
  });

  test("signs in, tells analytics, and leads to where the visitor was going", async ({ customer, newPage, shop }) => {
    const page = await newPage(desktop);
    const heard = await listenToTracking(page);
    const form = await openLogin(page, shop, site, "/login?redirect=/subscribenewsletter%3Fa%3Db");
    await fillIn(form, customer.password);
    await form.getByLabel(text("stayLoggedIn.label")).check();
    const sent = page.waitForRequest(`**${api}`);
    await submit(form);
    await page.waitForURL(shop.address(site, "/subscribenewsletter?a=b"));
    expect((await sent).headers()["x-hunter-csrf"]).toBeTruthy();
    expect((await sent).postDataJSON()).toEqual({ ...customer, stayLoggedIn: true });
    expect(heard).toEqual([event, event]);
    const cookies = (await page.context().cookies()).map(({ name }) => name);
    expect(cookies.sort()).toEqual(["KnownDevice", "LoginToken", "LongtermToken", "login"]);

    await page.goto(shop.address(site, "/login"));
    expect(page.url()).toBe(shop.address(site));
  });

  test("says that it isn't possible now", async ({ shop, unwatchedPage }) => {
    const page = await unwatchedPage(desktop);
    await answerRequests(page, `*${api}`, (request) => request.fulfill({ status: 500 }));
    const form = await openLogin(page, shop, site);
    await fillIn(form);
    await submit(form);
    await expect(form.getByRole("alert")).toContainText(text("error.unavailable"));
    await expectKept(form);
  });

  test("is sent once, and shows that it is", async ({ customer, sharedPage, shop }) => {
    const page = await sharedPage(desktop);
    const answered = Promise.withResolvers<void>();
    const sent: PausedRequest[] = [];
    await answerRequests(page, `*${api}`, async (request) => {
      sent.push(request);
      await answered.promise;
      await request.continue();
    });
    const form = await openLogin(page, shop, site);
    await fillIn(form, customer.password);
    await form.locator("[name=password]").press("Enter");
    await expect(form.locator("[type=submit]")).toHaveAttribute("aria-busy", "true");
    await form.locator("[name=password]").press("Enter");
    await submitByScript(form);
    await form.evaluate(() => dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
    await expect(form.locator("[type=submit]"), "usable when the visitor comes back").not.toHaveAttribute("aria-busy");
    answered.resolve();
    await page.waitForURL(shop.address(site));
    expect(sent).toHaveLength(1);
  });

  test("names what is missing, and leads to it", async ({ sharedPage, shop }) => {
    const form = await openLogin(await sharedPage(desktop), shop, site);
    await submit(form);
    await expect(form.locator(".sf-error-summary")).toBeFocused();
    await form.getByRole("link", { name: text("error.password.required") }).click();
    const field = form.locator("[name=password]");
    await expect(field).toBeFocused();
    expect(await messageOf(field)).toContain(text("error.password.required"));
    await form.locator("[name=email]").fill(email);
    await submit(form);
    await expect(field).toBeFocused();
  });

  test("fills in the address that the shop knows", async ({ sharedPage, shop }) => {
    const page = await sharedPage(desktop);
    const asked = page.waitForRequest("**/psdata");
    await answerRequests(page, "*/psdata", (request) => request.fulfill({ json: { email: "anna@example.com" } }));
    const form = await openLogin(page, shop, site);
    await expect(form.locator("[name=email]")).toHaveValue("anna@example.com");
    expect((await asked).headers()["x-hunter-csrf"]).toBeTruthy();
  });

  test.for<[string, (form: Locator) => Promise<void>]>([
    [
      "what was typed before the answer came",
      async (form) => {
        await form.locator("[name=email]").fill(email);
        await form.locator("[name=password]").focus();
      },
    ],
    ["a field that was entered before the answer came", (form) => form.locator("[name=email]").focus()],
  ])("never overwrites %s", async ([, use], { sharedPage, shop }) => {
    const page = await sharedPage(desktop);
    const typed = Promise.withResolvers<void>();
    await answerRequests(page, "*/psdata", async (request) => {
      await typed.promise;
      await request.fulfill({ json: { email: "anna@example.com" } });
    });
    const form = await openLogin(page, shop, site);
    const answered = page.waitForResponse("**/psdata");
    await use(form);
    const before = await form.locator("[name=email]").inputValue();
    typed.resolve();
    await (await answered).finished();
    await form.locator("[name=password]").fill(password);
    await expect(form.locator("[name=email]")).toHaveValue(before);
  });

  test("isn't shown to customers whose long-term token continues the session, and stays without one", async ({
    customer,
    newPage,
    shop,
  }) => {
    const page = await newPage(desktop);
    const form = await openLogin(page, shop, site);
    await fillIn(form, customer.password);
    await form.locator("[name=stayLoggedIn]").check();
    await submit(form);
    await page.waitForURL(shop.address(site));
    // The page's own calls need the cookie, too.
    await page.waitForLoadState("networkidle");

    await page.context().clearCookies({ name: "login" });
    await page.goto(shop.address(site, "/login"));
    await page.waitForURL(shop.address(site));
    await expect(page.locator("body > header a[href='/account']")).toBeVisible();
    await page.waitForLoadState("networkidle");

    await page.context().clearCookies({ name: "login" });
    await page.context().clearCookies({ name: "LongtermToken" });
    await openLogin(page, shop, site);
    expect(page.url()).toBe(shop.address(site, "/login"));
    expect(await page.context().cookies(shop.address(site))).not.toContainEqual(
      expect.objectContaining({ name: "LoginToken" }),
    );
  });

  test("works without script", async ({ browser, customer, shop }) => {
    const page = await browser.newPage({ ...phone, javaScriptEnabled: false });
    await page.goto(shop.address(site, "/login?redirect=/subscribenewsletter"));
    const form = page.locator("[data-island=login] form");
    await fillIn(form, "wrong");
    await submit(form);
    await expect(form.getByRole("alert")).toContainText(text("error.unauthorized"));
    await expect(form.locator("[name=email]")).toHaveValue(email);
    await expect(form.locator("[name=password]")).toHaveValue("");
    await fillIn(form, customer.password);
    await submit(form);
    await page.waitForURL(shop.address(site, "/subscribenewsletter"));

    const ofPage = texts.translator(site.locale, "page", { name: "Erika" });
    const header = page.locator("body > header");
    await expect(header.getByRole("link", { name: ofPage("account.signedIn") })).toBeVisible();
    await header.getByRole("button", { name: ofPage("account.logout") }).tap();
    await page.waitForURL(shop.address(site));
    await expect(header.getByRole("link", { name: ofPage("account.login") })).toBeVisible();
    await expect(header.getByRole("button")).toHaveCount(0);
    await page.context().close();
  });
});

/** Shows the login page, and waits until its form is hydrated. */
async function openLogin(page: Page, shop: Shop, site: Site, path = "/login"): Promise<Locator> {
  await page.goto(shop.address(site, path));
  const island = page.locator("[data-island=login]");
  await expect(island).toHaveAttribute("data-island-state", "ready");
  return island.locator("form");
}

async function fillIn(form: Locator, secret = password) {
  await form.locator("[name=email]").fill(email);
  await form.locator("[name=password]").fill(secret);
}

async function submit(form: Locator) {
  await form.locator("[type=submit]").click();
}

async function expectKept(form: Locator, secret = password) {
  await expect(form.locator("[name=email]")).toHaveValue(email);
  await expect(form.locator("[name=password]")).toHaveValue(secret);
  await expect(form.locator("[type=submit]")).not.toHaveAttribute("aria-busy", "true");
}

/**
 * @returns the tracking events so far, from window and from dataLayer; they outlive the page
 */
async function listenToTracking(page: Page): Promise<unknown[]> {
  const heard: unknown[] = [];
  await page.exposeFunction("hear", (detail: unknown) => heard.push(detail));
  await page.addInitScript(() => {
    window.addEventListener("storefront:tracking", (tracked) => {
      const hear = Reflect.get(window, "hear");
      hear((tracked as CustomEvent).detail);
      hear(window.dataLayer?.at(-1));
    });
  });
  return heard;
}
