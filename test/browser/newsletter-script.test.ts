import type { Locator, Page } from "playwright";
import { describe } from "vitest";
import { texts } from "../support/test-app.ts";
import { type AnswerRequest, answerRequests } from "./answer-requests.ts";
import { plainSite, siteWith } from "./chosen-sites.ts";
import { expect } from "./expect.ts";
import { answerSignUps, openNewsletter, readyBlock } from "./open-newsletter.ts";
import { test } from "./shop-test.ts";
import type { Shop } from "./start-shop.ts";
import { desktop, phone } from "./viewports.ts";

const site = plainSite;
const twoConsents = siteWith(({ newsletter }) => newsletter.legals);
const emailOf = (block: Locator) => block.locator("[name=email]");
const stateOf = "data-island-state";

describe("the newsletter's script", () => {
  const touches: [string, (block: Locator, page: Page) => Promise<unknown>][] = [
    ["a tap on a field", (block) => emailOf(block).tap()],
    ["a tap on its button", (block) => block.locator("[type=submit]").tap()],
    ["the tab key", (block, page) => block.evaluate(focusBefore).then(() => page.keyboard.press("Tab"))],
  ];
  test.for(touches)("comes with %s, which has its usual effect", async ([, touch], { sharedPage, shop }) => {
    const page = await sharedPage(phone);
    const block = await openUntouched(page, shop);
    await touch(block, page);
    await expect(block).toHaveAttribute(stateOf, "ready");
    await expect(emailOf(block)).toBeFocused();
    await expect(block.locator("[name=firstName]")).toBeVisible();
  });

  test("doesn't run for a visitor who reads on, with a finger or a mouse", async ({ newPage, shop }) => {
    const page = await newPage(phone);
    const block = await openUntouched(page, shop);
    const { width, height } = phone.viewport;
    const middle = { x: width / 2, y: height / 2 };
    await block.evaluate((island) => island.scrollIntoView({ block: "center" }));
    const top = () => page.evaluate(() => scrollY);
    const before = await top();
    const devtools = await page.context().newCDPSession(page);
    for (const y of [0, 20, 80, 160]) {
      const touchPoints = [{ ...middle, y: middle.y + y }];
      await devtools.send("Input.dispatchTouchEvent", { type: y ? "touchMove" : "touchStart", touchPoints });
    }
    await devtools.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await expect.poll(top).toBeLessThan(before);
    await page.mouse.move(middle.x, middle.y);
    await page.mouse.wheel(0, 1e5);
    await page.waitForLoadState("networkidle");
    await expect(block).toHaveAttribute(stateOf, "idle");
  });

  test("checks a field that was left before it came", async ({ newPage, shop }) => {
    const page = await newPage(desktop);
    const script = await holdScripts(page);
    const block = await openUntouched(page, shop);
    await emailOf(block).fill("anna@");
    await block.locator("[name=firstName]").focus();
    script.release();
    await expect(block).toHaveAttribute(stateOf, "ready");
    await expect(emailOf(block)).toHaveAttribute("aria-invalid", "true");
    await expect(block.locator("[aria-invalid]")).toHaveCount(1);
  });

  test("keeps what was typed into a page that the browser had translated", async ({ shop, unwatchedPage }) => {
    const page = await unwatchedPage({ ...desktop });
    const script = await holdScripts(page);
    const block = await openUntouched(page, shop, twoConsents);
    await block.evaluate(translate);
    await emailOf(block).pressSequentially("anna@example.com");
    await block.locator("[value=DNE]").check();
    await block.locator("[name=firstName]").pressSequentially("An");
    script.release();
    await expect(block).toHaveAttribute(stateOf, "ready");
    await expect(block.locator("[name=firstName]")).toBeFocused();
    await page.keyboard.type("na");
    await expect(block.locator("[name=firstName]")).toHaveValue("Anna");
    await expect(emailOf(block)).toHaveValue("anna@example.com");
    await expect(block.locator("[value=DNE]")).toBeChecked();
    await expect(block.locator("[name=consents][value=NEWSLETTER]")).not.toBeChecked();
  });

  test("survives a browser that has translated it before and translates it after", async ({ newPage, shop }) => {
    const page = await newPage(desktop);
    const block = await openNewsletter(page, shop, site);
    await block.evaluate(translate);
    await block.locator("[type=submit]").click();
    await expect(block.locator("[name=email]")).toHaveAttribute("aria-invalid", "true");
    await block.evaluate(translate);
    await block.locator("[name=email]").fill("anna@gmial.com");
    await block.locator("[name=firstName]").focus();
    await expect(block.getByText("anna@gmail.com")).toBeVisible();
    await block.evaluate(translate);
    await answerSignUps(page);
    await block.locator("[type=submit]").click();
    await expect(block.locator("[role=status]")).toContainText("anna@gmial.com");
  });
});

describe("before any script comes, the form", () => {
  test("shows its other fields when a visitor types, and keeps the text, the focus and the layout", async ({
    newPage,
    shop,
  }) => {
    const page = await newPage(desktop);
    const script = await holdScripts(page, "*/assets/*.js");
    await page.goto(shop.address(site), { waitUntil: "commit" });
    const block = page.locator("[data-island=newsletter]");
    await emailOf(block).waitFor();
    await expect(block.locator("[name=firstName]")).toBeHidden();
    await emailOf(block).pressSequentially("anna@example.com");
    await expect(block.locator("[name=firstName]")).toBeVisible();
    await block.locator("[name=firstName]").fill("Anna");
    await block.locator("[name=salutation]").selectOption("MRS");
    await block.locator(".sf-expandable-summary").click();
    await block.locator("[value=DNE]").check();
    const before = await block.boundingBox();
    script.release();
    await expect(block).toHaveAttribute(stateOf, "ready");
    await expect(block.locator("[value=DNE]")).toBeFocused();
    await expect(emailOf(block)).toHaveValue("anna@example.com");
    await expect(block.locator("[name=firstName]")).toHaveValue("Anna");
    await expect(block.locator("[name=salutation]")).toHaveValue("MRS");
    await expect(block.locator("[value=DNE]")).toBeChecked();
    expect((await block.boundingBox())?.height).toBe(before?.height);
  });
});

describe("a form that is sent before its script has come", () => {
  const text = texts.translator(site.locale, "newsletter");

  test("is sent once, by the browser", async ({ newPage, shop }) => {
    const page = await newPage(desktop);
    const script = await holdScripts(page);
    const sent = recordPosts(page);
    const block = await openUntouched(page, shop);
    await emailOf(block).fill("enter@example.com");
    await emailOf(block).press("Enter");
    await expect(page.getByRole("status")).toContainText(text("success.heading"));
    script.release();
    await readyBlock(page);
    expect(sent).toEqual(["/newsletter"]);
  });

  test.for<[string, string, AnswerRequest]>([
    ["React can't be loaded", "*/assets/hydrate-*", (request) => request.abort()],
    [
      "its words are of another release",
      "*/assets/newsletter-*.json",
      (request) => request.fulfill({ status: 404, json: {} }),
    ],
  ])("is sent by the browser where %s", async ([, missing, answer], { unwatchedPage, shop }) => {
    const page = await unwatchedPage({ ...desktop });
    const errors: Error[] = [];
    page.on("pageerror", (error) => errors.push(error));
    await answerRequests(page, missing, answer);
    const sent = recordPosts(page);
    const block = await openUntouched(page, shop);
    await emailOf(block).hover();
    await emailOf(block).fill("failed@example.com");
    await expect(block).toHaveAttribute(stateOf, "failed");
    await expect(emailOf(block)).toHaveValue("failed@example.com");
    expect(errors).toEqual([]);
    await block.locator("[type=submit]").click();
    await expect(page.getByRole("status")).toContainText(text("success.heading"));
    expect(sent).toEqual(["/newsletter"]);
  });
});

/** Shows the demo shop with the newsletter block of its footer in view, not yet hydrated. */
async function openUntouched(page: Page, shop: Shop, shown = site): Promise<Locator> {
  await page.goto(shop.address(shown));
  const block = page.locator("[data-island=newsletter]");
  await block.scrollIntoViewIfNeeded();
  await expect(block).toHaveAttribute(stateOf, "idle");
  return block;
}

/** Delays scripts until they are released. Default: only React. */
async function holdScripts(page: Page, files = "*/assets/hydrate-*.js") {
  const released = Promise.withResolvers<void>();
  await answerRequests(page, files, (request) => released.promise.then(request.continue));
  return { release: released.resolve };
}

/** Lists the paths of POST requests; the list grows. */
function recordPosts(page: Page): string[] {
  const paths: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") paths.push(new URL(request.url()).pathname);
  });
  return paths;
}

/** Focuses an element directly before the block. */
function focusBefore(block: HTMLElement | SVGElement) {
  const button = document.createElement("button");
  block.before(button);
  button.focus();
}

/** Does what a browser's translation does: https://github.com/facebook/react/issues/11538 */
function translate(block: HTMLElement | SVGElement) {
  const texts = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
  const found: Node[] = [];
  while (texts.nextNode()) found.push(texts.currentNode);
  for (const text of found) {
    if (!text.textContent?.trim() || text.parentElement?.closest("style, option, font")) continue;
    const font = document.createElement("font");
    text.parentNode?.replaceChild(font, text);
    font.append(`Foreign ${text.textContent}`);
  }
}
