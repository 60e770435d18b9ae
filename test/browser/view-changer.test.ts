import type { Page } from "playwright";
import { describe } from "vitest";
import { type AnswerRequest, answerRequests } from "./answer-requests.ts";
import { anySite } from "./chosen-sites.ts";
import { expect } from "./expect.ts";
import { showHostPage } from "./host-page.ts";
import { test } from "./shop-test.ts";
import { desktop, phone } from "./viewports.ts";

const path = "/?campaign=autumn";
const phoneWithoutScript = { ...phone, javaScriptEnabled: false };

describe("the view changer", () => {
  const site = anySite;
  const { toDesktop, toMobile } = site.footer.viewChanger;

  test("changes a phone to the desktop view and back, on the same page, without JavaScript", async ({ open, shop }) => {
    const text = shop.texts(site);
    const page = await open(site, phoneWithoutScript, path);
    await expect(buttons(page)).toHaveText([text(toDesktop)]);

    await buttons(page).tap();
    await expect(page.locator("html")).toHaveAttribute("data-platform", "CLASSIC");
    await expect(page).toHaveURL(shop.address(site, path));
    await expect(buttons(page)).toHaveText([text(toMobile)]);
    expect(await layoutWidth(page)).toBe(1280);

    await buttons(page).tap();
    await expect(page.locator("html")).toHaveAttribute("data-platform", "MATCH");
    await expect(page).toHaveURL(shop.address(site, path));
    await expect(buttons(page)).toHaveText([text(toDesktop)]);
    expect(await layoutWidth(page)).toBe(phone.viewport.width);
  });

  test("keeps the visitor at address and place, though a page of somebody else hides its address", async ({
    sharedPage,
    shop,
  }) => {
    const page = await sharedPage(desktop);
    const requests = recordDocuments(page);
    await showHostPage(page, shop, { site, referrerPolicy: "no-referrer" });
    await buttons(page).last().scrollIntoViewIfNeeded();
    await expect(buttons(page).last()).toHaveText(shop.texts(site)(toMobile));
    requests.length = 0;

    const shown = page.waitForEvent("load");
    await buttons(page).last().dblclick();
    await shown;
    await expect(page).toHaveURL(shop.address(site, "/host/"));
    await expect(buttons(page).last()).toHaveText(shop.texts(site)(toDesktop));
    await expect(page.locator("footer[data-fragment=footer]").last()).toBeInViewport();
    expect(requests).toEqual(["POST /view view=mobile", "GET /host/"]);
    expect(await platformCookie(page)).toBe("smartphone");
  });

  test.for<[string, AnswerRequest]>([
    ["doesn't arrive", (request) => request.abort("aborted")],
    ["isn't answered as it should", (request) => request.fulfill({ body: "Sign in to the network" })],
  ])("sends the form as without script when the request %s", async ([, answer], { open, shop }) => {
    const page = await open(site, desktop, path);
    const requests = recordDocuments(page);
    await answerRequests(page, "*/view", (request) => (request.isNavigation ? request.continue() : answer(request)));
    await buttons(page).click();
    await expect(buttons(page)).toHaveText([shop.texts(site)(toDesktop)]);
    await expect(page).toHaveURL(shop.address(site, path));
    expect(requests).toEqual(["POST /view view=mobile", "POST /view view=mobile", "GET /"]);
  });
});

/**
 * @returns the pages and forms that a page requests; the list grows
 */
function recordDocuments(page: Page): string[] {
  const requests: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    const line = [request.method(), pathname, request.postData()].filter(Boolean).join(" ");
    if (pathname === "/view" || request.isNavigationRequest()) requests.push(line);
  });
  return requests;
}

async function platformCookie(page: Page): Promise<string | undefined> {
  const cookies = await page.context().cookies();
  return cookies.find(({ name }) => name === "platform")?.value;
}

/** Returns the buttons that the layout shows. */
function buttons(page: Page) {
  return page.locator("[data-section=view-changer] button").filter({ visible: true });
}

function layoutWidth(page: Page): Promise<number> {
  return page.locator("html").evaluate((html) => html.clientWidth);
}
