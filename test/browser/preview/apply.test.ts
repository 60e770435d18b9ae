import type { Locator } from "playwright";
import { describe } from "vitest";
import { centralEuropeanSite } from "../chosen-sites.ts";
import { expect } from "../expect.ts";
import { stillDesktop } from "../viewports.ts";
import {
  answerCalls,
  christmas,
  messageIn,
  openPreview,
  openSettings,
  openSettledPreview,
  openTests,
  panelOf,
  paths,
  test,
} from "./open-preview.ts";

const apply = { name: "Set preview settings" };
const applied = "Settings applied successfully.";
const failed = "Applying settings failed.";

describe("the settings of the preview", () => {
  const site = centralEuropeanSite;

  test("are sent once, with what guards against other sites, and say how it goes", async ({ sharedPage, shop }) => {
    const page = await sharedPage(stillDesktop);
    const settings = await openTests(await openPreview(page, shop, site));
    const answered = Promise.withResolvers<void>();
    const sent = await answerCalls(page, "token", async (call) => {
      await answered.promise;
      await call.continue();
    });
    await settings.getByLabel("Date").fill("2026-12-24");
    await settings.getByLabel("Time").fill("18:00");
    await expect(messageIn(settings)).toContainText("Active tests found.");
    await settings.getByLabel("Name").selectOption("footer-promotion");
    await settings.getByLabel("Group").selectOption("B");
    await settings.getByRole("button", apply).click();
    await expect(messageIn(settings)).toContainText("Loading...");
    await expect(settings.getByRole("button", apply)).toHaveAttribute("aria-busy", "true");
    await settings.getByLabel("Time").press("Enter");
    const loggedOut = await answerCalls(page, "logout", (call) => call.abort());
    await settings.getByRole("button", { name: "Logout" }).click();
    answered.resolve();
    await expect(messageIn(settings)).toContainText(applied);
    await expect(messageIn(settings).locator("[data-state]")).toHaveAttribute("data-state", "success");
    await expect(settings.getByRole("button", apply)).not.toHaveAttribute("aria-busy");

    expect([sent.length, loggedOut.length]).toEqual([1, 0]);
    const [request] = sent;
    expect(request?.method).toBe("POST");
    expect(new URL(request?.url ?? "").search).toBe("?test=footer-promotion&group=B");
    expect(request?.json()).toEqual({ previewDateTime: "2026-12-24T17:00:00Z" });
    expect(request?.headers["x-hunter-csrf"]).toBeTruthy();
    expect(request?.headers["content-type"]).toBe("application/json");
  });

  test("are of the shop's time zone, which is named, with what its clocks do then", async ({ sharedPage, shop }) => {
    const page = await sharedPage(stillDesktop);
    const settings = await openTests(await openPreview(page, shop, site));
    const sent = page.waitForRequest((request) => new URL(request.url()).pathname === paths.token);
    const announced = settings.locator("[aria-live=polite]");
    await settings.getByLabel("Date").fill("2027-03-28");
    await settings.getByLabel("Time").fill("02:30");
    await expect(announced.getByText("this time doesn’t exist. Showing instead: 03:30.")).toBeVisible();
    await settings.getByLabel("Date").fill("2026-10-25");
    await expect(announced.getByText("this time happens twice. Showing the first.")).toBeVisible();
    await settings.getByLabel("Date").fill("2026-12-31");
    await settings.getByLabel("Time").fill("");
    await expect(settings.getByText("In this shop’s time zone: Europe/Berlin (UTC+01:00)")).toBeVisible();
    await settings.getByRole("button", apply).click();
    expect((await sent).postDataJSON()).toEqual({ previewDateTime: "2026-12-30T23:00:00Z" });
  });

  test("say that it failed, let go of the message by click and by keyboard, and can be sent again", async ({
    shop,
    unwatchedPage,
  }) => {
    const page = await unwatchedPage(stillDesktop);
    const settings = await openTests(await openPreview(page, shop, site));
    const message = messageIn(settings);
    let status = "BAD_REQUEST";
    await answerCalls(page, "token", (call) => call.fulfill({ json: { status } }));
    await settings.getByRole("button", apply).click();
    await expect(message).toContainText(failed);
    await expect(message.locator("[data-state]")).toHaveAttribute("data-state", "error");
    await message.click({ position: { x: 3, y: 3 } });
    await expect(message).toHaveText("");
    status = "SUCCESS";
    await settings.getByRole("button", apply).click();
    await expect(message).toContainText(applied);
    await message.getByRole("button", { name: "Dismiss the message" }).press("Enter");
    await expect(message).toHaveText("");
    expect(await holdsFocus(settings)).toBe(true);
  });

  test("don't say any more that they were applied when another group, test or none is chosen", async ({
    sharedPage,
    shop,
  }) => {
    const page = await sharedPage(stillDesktop);
    const settings = await openTests(await openPreview(page, shop, site, christmas));
    const choices: [label: string, chosen: string][] = [
      ["Group", "A"],
      ["Name", "None"],
    ];
    for (const [label, chosen] of choices) {
      await settings.getByRole("button", apply).click();
      await expect(messageIn(settings)).toContainText(applied);
      await settings.getByLabel(label, { exact: true }).selectOption({ label: chosen });
      await expect(messageIn(settings)).toHaveText("");
    }
    const released = Promise.withResolvers<void>();
    await answerCalls(page, "tests", (call) => released.promise.then(() => call.fulfill({ json: [] })));
    await settings.getByLabel("Time").fill("19:00");
    await expect(messageIn(settings)).toContainText("Loading tests...");
    await settings.getByRole("button", apply).click();
    await expect(messageIn(settings)).toContainText(applied);
    released.resolve();
    await expect(settings.getByLabel("Name").locator("option")).toHaveText(["Select an A/B test", "None"]);
    await expect(messageIn(settings), "the tests come late").toContainText(applied);
  });

  test("without a date show the shop as it is now, and say so in the console", async ({ shop, unwatchedPage }) => {
    const page = await unwatchedPage(stillDesktop);
    const errors: string[] = [];
    page.on("console", (said) => said.type() === "error" && errors.push(said.text()));
    const panel = await openPreview(page, shop, site, { ...christmas, test: "", group: "" });
    await expect(panel).toContainText("Preview: 24 Dec 2026, 18:00 CET");
    const settings = await openTests(panel);
    const sent = await answerCalls(page, "token", (call) => call.continue());
    // Deletes the month. What is left of the date keeps nobody from sending the form.
    await settings.getByLabel("Date").press("Backspace");
    await expect(settings.getByText("Leave the date empty to see the shop as it is now.")).toBeVisible();
    await settings.getByRole("button", apply).click();
    await expect(messageIn(settings)).toContainText(applied);
    const { previewDateTime } = Object(sent[0]?.json());
    expect(Math.abs(Date.parse(previewDateTime) - Date.now())).toBeLessThan(60_000);
    expect(errors).toEqual([`"" isn't a date as YYYY-MM-DD: the preview shows the current time.`]);
    await expect(panel.getByText("The shop as it is now", { exact: true })).toBeVisible();
  });

  test("reload the page when they are closed, if something was chosen", async ({ sharedPage, shop }) => {
    const page = await sharedPage(stillDesktop);
    const panel = await openPreview(page, shop, site, christmas);
    const documents: string[] = [];
    page.on("request", (request) => request.isNavigationRequest() && documents.push(request.url()));
    const settings = await openTests(panel);
    await page.keyboard.press("Escape");
    await expect(settings).toBeHidden();
    await openTests(panel);
    expect(documents).toEqual([]);
    await settings.getByRole("button", apply).click();
    await expect(messageIn(settings)).toContainText("Close this window to see them on the page.");
    const loaded = page.waitForEvent("load");
    await page.keyboard.press("Escape");
    await loaded;
    await expect(panel).toBeVisible();
    expect(documents).toEqual([shop.address(site)]);
    page.removeAllListeners("request");
  });
});

describe("the logout of the preview", () => {
  const site = centralEuropeanSite;

  test("says that it failed, and leaves the panel", async ({ shop, unwatchedPage }) => {
    const page = await unwatchedPage(stillDesktop);
    const settings = await openTests(await openPreview(page, shop, site));
    const sent = await answerCalls(page, "logout", (call) => call.fulfill({ status: 500 }));
    await settings.getByRole("button", { name: "Logout" }).press("Enter");
    await expect(messageIn(settings)).toContainText("Logging out failed.");
    expect(await holdsFocus(settings)).toBe(true);
    await expect(messageIn(settings).locator("[data-state]")).toHaveAttribute("data-state", "error");
    await expect(panelOf(page)).toBeVisible();
    expect(sent.map(({ headers, method }) => [method, headers["x-hunter-csrf"]])).toEqual([["POST", "1"]]);
  });

  test("gives the page back to the keyboard, without room for the panel", async ({ sharedPage, shop }) => {
    const page = await sharedPage(stillDesktop);
    const panel = await openSettledPreview(page, shop, site);
    const height = () => page.evaluate(() => document.documentElement.scrollHeight);
    const before = await height();
    await (await openSettings(panel)).getByRole("button", { name: "Logout" }).click();
    await expect(panel).toHaveCount(0);
    await expect(page.locator(".sf-preview-panel"), "at its place").toBeFocused();
    expect(await height()).toBeLessThan(before);
    const room = () => document.documentElement.style.getPropertyValue("--sf-preview-room");
    expect(await page.evaluate(room)).toBe("");
    await page.mouse.wheel(0, 400);
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
  });
});

/** Whether the focus is in an element, and hasn't fallen back to the page. */
function holdsFocus(element: Locator): Promise<boolean> {
  return element.evaluate((shown) => shown.contains(document.activeElement));
}
