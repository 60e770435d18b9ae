import type { Page } from "playwright";
import { describe } from "vitest";
import type { Site } from "../../../server/sites/countries.ts";
import { type Answer, type AnswerRequest, answerRequests } from "../answer-requests.ts";
import { centralEuropeanSite } from "../chosen-sites.ts";
import { expect } from "../expect.ts";
import type { Shop } from "../start-shop.ts";
import { stillDesktop } from "../viewports.ts";
import {
  answerCalls,
  choosePreview,
  christmas,
  openPreview,
  openSettledPreview,
  panelOf,
  test,
} from "./open-preview.ts";

const unauthorized = "You’re no longer signed in to the preview.";
const unknown = "We can’t check your preview at the moment, so you see the shop as it is.";
const own = "The preview is closed until noon.";
const success = { json: { status: "SUCCESS" } };
const checked = { status: "SUCCESS", dateTime: "2026-12-24T17:00:00Z", abTestName: "", abTestGroup: "" };
const minutes = 60_000;

describe("the check of who previews the shop", () => {
  const site = centralEuropeanSite;

  test.for<[string, string, AnswerRequest]>([
    ["500", unknown, (request) => request.fulfill({ status: 500 })],
    [
      "401 with a message",
      own,
      (request) => request.fulfill({ status: 401, json: { status: "UNAUTHORIZED", message: own } }),
    ],
  ])("that fails is told, and leaves the page as it is: %s", async ([, message, answer], { shop, unwatchedPage }) => {
    const page = await unwatchedPage(stillDesktop);
    const renewals = await answerCalls(page, "renew", (request) => request.fulfill(success));
    await answerCalls(page, "check", answer);
    await openFlagged(page, shop, site);
    const alert = page.getByRole("alert").filter({ hasText: message });
    await expect(alert).toBeVisible();
    await expect(alert.locator("[data-state=error]")).toBeVisible();
    await alert.getByRole("button", { name: "Close" }).click();
    await expect(alert).toHaveCount(0);
    await expect(page.locator(".sf-preview-panel"), "at its place").toBeFocused();
    await expect(panelOf(page)).toHaveCount(0);
    expect(renewals).toEqual([]);
    await page.locator("[data-section=country-switcher] summary").click();
    await expect(page.locator("[data-section=country-switcher] a").first()).toBeVisible();
  });

  test("leads to where staff sign in when they aren't any more, once", async ({ shop, unwatchedPage }) => {
    const page = await unwatchedPage(stillDesktop);
    await openFlagged(page, shop, site);
    const alert = page.getByRole("alert").filter({ hasText: unauthorized });
    await expect(alert.getByRole("link", { name: "Sign in" })).toHaveAttribute("href", "/preview");
    await expect(panelOf(page)).toHaveCount(0);
    expect(await page.context().cookies()).toEqual([]);
    await page.reload();
    await expect(page.locator("footer[data-platform=CLASSIC]")).toBeVisible();
    await expect(page.getByText(unauthorized)).toHaveCount(0);
  });

  test("leads nowhere where this service has no page to sign in", async ({ shop, unwatchedPage }) => {
    const page = await unwatchedPage(stillDesktop);
    const asked = page.waitForResponse((response) => new URL(response.url()).pathname === "/preview");
    await answerRequests(page, "*/preview", (request) => request.fulfill({ status: 404 }));
    await openFlagged(page, shop, site);
    await asked;
    const alert = page.getByRole("alert").filter({ hasText: unauthorized });
    await expect(alert).toBeVisible();
    await expect(alert.getByRole("link")).toHaveCount(0);
  });

  test("leaves the page as it is when a file of the panel doesn't come", async ({ newPage, shop }) => {
    const page = await newPage(stillDesktop);
    const file = /\/preview-\w+\.css$/;
    await answerRequests(page, "*/preview-*.css", (request) => request.abort("aborted"));
    const failed = page.waitForEvent("requestfailed", (request) => file.test(request.url()));
    await openFlagged(page, shop, site);
    await failed;
    await expect(page.locator("footer[data-platform=CLASSIC]")).toBeVisible();
    await expect(panelOf(page)).toHaveCount(0);
  });

  test("comes again when staff come back to the tab, and shows what another tab has chosen", async ({
    sharedPage,
    shop,
  }) => {
    const page = await sharedPage(stillDesktop);
    const late = Promise.withResolvers<void>();
    const asked = await answerCalls(page, "changes", async (request) => {
      if (asked.length > 1) return request.continue();
      await late.promise;
      await request.fulfill({ json: { status: "SUCCESS" } });
    });
    const panel = await openPreview(page, shop, site);
    const checks = await answerCalls(page, "check", (request) => request.continue());
    await setVisibility(page, "hidden");
    await choosePreview(page, shop, site, christmas);
    expect(checks).toEqual([]);
    await setVisibility(page, "visible");
    await expect(panel).toContainText("Preview: 24 Dec 2026, 18:00 CET footer-promotion: B");
    expect(checks).toHaveLength(1);
    const next = panel.getByRole("button", { name: /^Next change: 30 Dec 2026/ });
    await expect(next).toBeVisible();
    const answered = page.waitForResponse((response) => response.url() === asked[0]?.url);
    late.resolve();
    await (await answered).finished();
    await expect(next, "an earlier answer comes late").toBeVisible();
  });

  test("isn't needed to know that another tab has signed out", async ({ sharedPage, shop }) => {
    const page = await sharedPage(stillDesktop);
    const panel = await openSettledPreview(page, shop, site);
    const checks = await answerCalls(page, "check", (request) => request.continue());
    await page.context().clearCookies();
    await setVisibility(page, "visible");
    await expect(panel).toHaveCount(0);
    await expect(page.getByText(unauthorized)).toHaveCount(0);
    expect(checks).toEqual([]);
  });

  test("that fails when staff come back leaves the panel, unless they are signed out", async ({
    shop,
    unwatchedPage,
  }) => {
    const page = await unwatchedPage(stillDesktop);
    const panel = await openPreview(page, shop, site);
    let answer: Answer = { status: 500 };
    await answerCalls(page, "check", (request) => request.fulfill(answer));
    const failed = page.waitForResponse((response) => response.status() === 500);
    await setVisibility(page, "visible");
    await (await failed).finished();
    await expect(panel).toBeVisible();
    answer = { status: 401, json: { status: "UNAUTHORIZED" } };
    await setVisibility(page, "visible");
    await expect(page.getByRole("alert").filter({ hasText: unauthorized })).toBeVisible();
    await expect(panel).toHaveCount(0);
  });
});

describe("the staff login", () => {
  const site = centralEuropeanSite;

  test("is renewed at once, and every five minutes", async ({ newPage, shop }) => {
    const page = await newPage(stillDesktop);
    await page.clock.install();
    const renewals = await answerCalls(page, "renew", (request) => request.fulfill(success));
    await openPreview(page, shop, site);
    await expect.poll(() => renewals.length).toBe(1);
    await page.clock.runFor(4 * minutes);
    expect(renewals).toHaveLength(1);
    await page.clock.runFor(minutes);
    await expect.poll(() => renewals.length).toBe(2);
    await page.clock.runFor(5 * minutes);
    await expect.poll(() => renewals.length).toBe(3);
    for (const renewal of renewals) {
      expect(renewal.method).toBe("POST");
      expect(renewal.headers["x-hunter-csrf"]).toBeTruthy();
    }
  });

  test("is checked when the service refuses to renew it, and not renewed any more", async ({ shop, unwatchedPage }) => {
    const page = await unwatchedPage({ ...stillDesktop });
    await page.clock.install();
    let check: Answer = { json: checked };
    let renewal: Answer = success;
    const checks = await answerCalls(page, "check", (request) => request.fulfill(check));
    const renewals = await answerCalls(page, "renew", (request) => request.fulfill(renewal));
    await openFlagged(page, shop, site);
    await expect.poll(() => [checks.length, renewals.length]).toEqual([1, 1]);

    renewal = { status: 500 };
    await page.clock.runFor(5 * minutes);
    await expect.poll(() => renewals.length).toBe(2);
    renewal = check = { status: 401, json: { status: "UNAUTHORIZED" } };
    await page.clock.runFor(5 * minutes);
    await expect(page.getByRole("alert").filter({ hasText: unauthorized })).toBeVisible();
    await expect(panelOf(page)).toHaveCount(0);
    await page.clock.runFor(10 * minutes);
    expect([checks.length, renewals.length]).toEqual([2, 3]);
  });
});

/** Shows a page of the shop to a visitor with the cookie that scripts can read, but without the credentials. */
async function openFlagged(page: Page, shop: Shop, site: Site) {
  await page.context().addCookies([{ name: "preview", value: "true", url: shop.address(site) }]);
  await page.goto(shop.address(site));
}

async function setVisibility(page: Page, state: DocumentVisibilityState) {
  await page.evaluate((value) => {
    Object.defineProperty(document, "visibilityState", { configurable: true, value });
    document.dispatchEvent(new Event("visibilitychange"));
  }, state);
}
