import { parseSetCookie } from "cookie";
import type { Locator, Page } from "playwright";
import { addAccount } from "../../../server/accounts/accounts.ts";
import type { Site } from "../../../server/sites/countries.ts";
import { seedDemo } from "../../support/seed-demo.ts";
import { texts } from "../../support/test-app.ts";
import { type AnswerRequest, answerRequests, type PausedRequest } from "../answer-requests.ts";
import { expect } from "../expect.ts";
import { test as base } from "../shop-test.ts";
import type { Shop } from "../start-shop.ts";

/** Signs in to the preview. */
const staff = { user: "staff@example.com", password: "correct horse battery staple" };

/** A test whose shop also has a member of staff, A/B tests and promotions. */
export const test = base.extend("staff", { scope: "file", auto: true }, async ({ shop }) => {
  await addAccount(shop.store.db, "staff", { email: staff.user, password: staff.password });
  await seedDemo({ db: shop.store.db, sites: shop.sites, texts });
});

/** The service's calls. */
export const paths = {
  check: "/service/preview/api/auth/checkauth",
  login: "/service/preview/api/auth/login",
  renew: "/service/preview/api/auth/login/renew",
  logout: "/service/preview/api/auth/logout",
  token: "/service/preview/api/token",
  changes: "/service/preview/api/changes",
  share: "/service/preview/api/share",
  tests: "/service/abtestfrontend/api/v1/gettestsat",
} as const;

/** A selection to preview: a moment, and a group of an A/B test or none. */
export interface Choice {
  previewDateTime: string;
  test?: string;
  group?: string;
}

export const christmas: Choice = { previewDateTime: "2026-12-24T17:00:00Z", test: "footer-promotion", group: "B" };

/** Signs staff in. Afterwards the page's browser has their cookies. */
export async function signIn(page: Page, shop: Shop, site: Site): Promise<void> {
  await callService(page, shop, site, paths.login, staff);
}

/** Signs staff in with the form of the page. */
export async function fillInLogin(page: Page): Promise<void> {
  const form = page.locator("form[action='/preview']");
  await form.locator("[name=user]").fill(staff.user);
  await form.locator("[name=password]").fill(staff.password);
  await form.locator("[type=submit]").click();
}

/** Selects a preview for staff who are signed in. */
export async function choosePreview(page: Page, shop: Shop, site: Site, choice: Choice): Promise<void> {
  const { previewDateTime, test = "", group = "" } = choice;
  const query = new URLSearchParams({ test, group });
  await callService(page, shop, site, `${paths.token}?${query}`, { previewDateTime });
}

/**
 * Signs staff in, and shows them the shop of a site.
 * @returns the preview panel
 */
export async function openPreview(page: Page, shop: Shop, site: Site, choice?: Choice): Promise<Locator> {
  await signIn(page, shop, site);
  if (choice) await choosePreview(page, shop, site, choice);
  await page.goto(shop.address(site));
  const panel = panelOf(page);
  await expect(panel).toBeVisible();
  return panel;
}

/**
 * Does the same, and waits until no call of the panel is in progress. A call that lost its cookies would fail, and a
 * renewal that ends after the cookies were removed would set them again.
 */
export async function openSettledPreview(page: Page, shop: Shop, site: Site, choice?: Choice): Promise<Locator> {
  await answerCalls(page, "renew", (request) => request.fulfill({ json: { status: "SUCCESS" } }));
  const changes = page.waitForResponse((response) => new URL(response.url()).pathname === paths.changes);
  const panel = await openPreview(page, shop, site, choice);
  await (await changes).finished();
  return panel;
}

/** The panel of a page. */
export function panelOf(page: Page): Locator {
  return page.getByRole("region", { name: "Preview", exact: true });
}

/** Opens the settings, as a dialog. */
export async function openSettings(panel: Locator): Promise<Locator> {
  await panel.getByRole("button", { name: "Preview settings", exact: true }).click();
  const settings = panel.getByRole("dialog", { name: "Preview settings" });
  await expect(settings).toBeVisible();
  return settings;
}

/** Returns the settings once their A/B tests have loaded. */
export async function openTests(panel: Locator): Promise<Locator> {
  const settings = await openSettings(panel);
  await expect(messageIn(settings)).toContainText("Active tests found.");
  const details = settings.locator("details");
  if (!(await details.evaluate((element: HTMLDetailsElement) => element.open)))
    await details.locator("summary").click();
  return settings;
}

/** The message area of the settings. */
export function messageIn(settings: Locator): Locator {
  return settings.locator(".sf-preview-message");
}

/**
 * Answers calls instead of the service.
 * @returns the calls; the list grows
 */
export async function answerCalls(
  page: Page,
  call: keyof typeof paths,
  answer: AnswerRequest,
): Promise<PausedRequest[]> {
  const sent: PausedRequest[] = [];
  await answerRequests(page, `*${paths[call]}`, async (request) => {
    sent.push(request);
    await answer(request);
  });
  return sent;
}

async function callService(page: Page, shop: Shop, site: Site, path: string, body: object): Promise<void> {
  const url = shop.address(site);
  const sent = await page.context().cookies(url);
  const answer = await fetch(`${shop.listener}${path}`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "X-hunter-csrf": "1",
      Origin: shop.listener,
      Cookie: sent.map(({ name, value }) => `${name}=${value}`).join("; "),
    },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
  const set = answer.headers.getSetCookie().map((text) => parseSetCookie(text));
  const kept = set.flatMap(({ name, value, httpOnly = false }) => (value ? [{ name, value, httpOnly, url }] : []));
  await page.context().addCookies(kept);
}
