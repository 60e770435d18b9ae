import type { Locator, Page } from "playwright";
import { addAccount, findAccount } from "../../server/accounts/accounts.ts";
import type { Site } from "../../server/sites/countries.ts";
import { answerNoRequests } from "./answer-requests.ts";
import { anySite, centralEuropeanSite, siteWith } from "./chosen-sites.ts";
import { expect } from "./expect.ts";
import { answerSignUps, fillInRequired, openNewsletter } from "./open-newsletter.ts";
import {
  answerCalls,
  christmas,
  messageIn,
  openPreview,
  openSettledPreview,
  openTests,
  panelOf,
} from "./preview/open-preview.ts";
import type { Shop } from "./start-shop.ts";

export interface PageStates {
  site: Site;
  /** Selector of the part of the page that changes. Default: everything except the footer. */
  part?: string;
  /** Shows the states of the page, each of which follows the one before. */
  states: Record<string, (page: Page, shop: Shop, site: Site) => Promise<unknown>>;
}

const customer = { email: "ada@shop.example", password: "correct horse battery staple", firstName: "Ada" };

/** Pages with states that visitors and staff can bring about. */
export const pageStates: Record<string, PageStates> = {
  "the home page": {
    site: anySite,
    part: "footer[data-fragment=footer]",
    states: {
      "at first": at("/"),
      "in the view for tablets": withCookie("platform", "tablet"),
      "with a reduced footer": withCookie("affiliateNumber", "1"),
    },
  },
  "the login": {
    site: anySite,
    states: {
      "at first": at("/login"),
      async "with faults"(page) {
        await page.locator("main [name=email]").focus();
        await expect(page.locator("main [data-island]")).toHaveAttribute("data-island-state", "ready");
        await page.locator("main [type=submit]").click();
        await expect(page.locator("main [aria-invalid]")).toHaveCount(2);
      },
      async refused(page) {
        await signIn(page, "wrong");
        await expect(page.locator("main [role=alert]")).toContainText(/\S/);
      },
      async "that succeeds"(page, shop) {
        await answerNoRequests(page);
        const known = await findAccount(shop.store.db, "customer", customer.email);
        if (!known) await addAccount(shop.store.db, "customer", customer);
        await signIn(page, customer.password);
        await expect(page.locator("header [action='/logout']")).toBeVisible();
      },
    },
  },
  "the login of staff": {
    site: anySite,
    states: {
      "at first": at("/preview"),
      async refused(page) {
        await page.locator("main [name=user]").fill(customer.email);
        await page.locator("main [name=password]").fill("wrong");
        await page.locator("main [type=submit]").click();
        await expect(page.locator("main .sf-notification")).toBeVisible();
      },
    },
  },
  "the newsletter with the longest form": newsletterStates(siteWith(({ newsletter }) => newsletter.legals)),
  "the newsletter that requires a salutation": newsletterStates(
    siteWith(({ newsletter }) => newsletter.salutation === "required"),
  ),
  "the preview": {
    site: centralEuropeanSite,
    states: {
      async "of another time"(page, shop, site) {
        const panel = await openPreview(page, shop, site, christmas);
        await expect(panel.getByRole("button", { name: /change:/ })).toHaveCount(2);
      },
      minimised: (page) => panelOf(page).getByRole("button", { name: "Minimise" }).click(),
      async "that can't be left"(page) {
        const panel = panelOf(page);
        await answerCalls(page, "token", (request) => request.fulfill({ status: 500 }));
        await panel.getByRole("button", { name: "Show more" }).click();
        await panel.getByRole("button", { name: "Leave preview" }).click();
        await expect(panel.getByText("Applying settings failed.")).toBeVisible();
      },
      settings: (page) => openTests(panelOf(page)),
      async "without a group"(page) {
        await settingsOf(page).getByLabel("Group").selectOption("");
        await settingsOf(page).getByRole("button", { name: "Set preview settings" }).click();
        await expectMessage(page, "Please also select an A/B test group!");
      },
      async "that can't be ended"(page) {
        await answerCalls(page, "logout", (request) => request.fulfill({ status: 500 }));
        await settingsOf(page).getByRole("button", { name: "Logout" }).click();
        await expectMessage(page, "Logging out failed.");
      },
      async "when the clocks leave out the time"(page) {
        await answerCalls(page, "tests", (request) => request.fulfill({ json: [] }));
        await settingsOf(page).getByLabel("Date").fill("2027-03-28");
        await settingsOf(page).getByLabel("Time").fill("02:30");
        await expectMessage(page, "No active tests for this date.");
      },
      async "without tests"(page) {
        await answerCalls(page, "tests", (request) => request.fulfill({ status: 500 }));
        await settingsOf(page).getByLabel("Date").fill("2026-10-25");
        await expectMessage(page, "Failed to fetch AB tests.");
      },
      async "of now"(page, shop, site) {
        await answerNoRequests(page);
        await page.context().clearCookies();
        await openSettledPreview(page, shop, site);
      },
      async "that staff aren't signed in to"(page, shop, site) {
        await page.context().clearCookies();
        await page.context().addCookies([{ name: "preview", value: "true", url: shop.address(site) }]);
        await page.reload();
        await expect(page.getByRole("alert").getByRole("link", { name: "Sign in" })).toBeVisible();
      },
    },
  },
  "the overview": {
    site: anySite,
    states: {
      "at first": (page, shop) => page.goto(shop.listener),
      async "from which something was copied"(page) {
        await page.context().grantPermissions(["clipboard-write"]);
        await page.locator(".sf-code-copy").first().click();
        await expect(page.locator(".sf-code-status")).not.toBeEmpty();
      },
    },
  },
};

function newsletterStates(site: Site): PageStates {
  const part = "[data-section=newsletter]";
  return {
    site,
    part,
    states: {
      async "with faults"(page, shop) {
        const block = await openNewsletter(page, shop, site);
        await block.locator("[name=firstName], [name=lastName]").evaluateAll((all: HTMLInputElement[]) => {
          for (const input of all) input.value = "www.example.com";
        });
        await block.locator("[type=submit]").click();
        await expect(block.locator("[aria-invalid=true]").first()).toBeVisible();
        for (const summary of await block.locator("summary").all()) await summary.click();
      },
      async "that fails"(page) {
        await answerSignUps(page, { status: 503, json: {} });
        await signUp(page, site);
        await expect(page.locator(`${part} .sf-notification`)).toBeVisible();
      },
      async "that succeeds"(page) {
        await answerSignUps(page);
        await signUp(page, site);
        await expect(page.locator(`${part} form`)).toBeHidden();
      },
    },
  };
}

export function at(path: string): PageStates["states"][string] {
  return (page, shop, site) => page.goto(shop.address(site, path));
}

function withCookie(name: string, value: string): PageStates["states"][string] {
  return async (page, shop, site) => {
    await page.context().clearCookies();
    await page.context().addCookies([{ name, value, url: shop.address(site) }]);
    await page.goto(shop.address(site));
  };
}

async function signIn(page: Page, password: string) {
  await page.locator("main [name=email]").fill(customer.email);
  await page.locator("main [name=password]").fill(password);
  await page.locator("main [type=submit]").click();
}

async function signUp(page: Page, site: Site) {
  const block = page.locator("[data-section=newsletter]");
  await fillInRequired(block, site);
  for (const name of ["firstName", "lastName"]) await block.locator(`[name=${name}]`).fill("Anna");
  await block.locator("[type=submit]").click();
}

function settingsOf(page: Page): Locator {
  return page.getByRole("dialog", { name: "Preview settings" });
}

async function expectMessage(page: Page, text: string) {
  await expect(messageIn(settingsOf(page))).toContainText(text);
}

/** Pages whose colours the brand's test finds in every state. Their contrast needs no other check. */
export const pagesOfBrand = ["the login", "the newsletter with the longest form", "the preview", "the overview"];
