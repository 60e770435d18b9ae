import type { Page } from "playwright";
import { describe } from "vitest";
import { centralEuropeanSite, sitesOfBothClocks } from "../chosen-sites.ts";
import { expect } from "../expect.ts";
import { stillDesktop } from "../viewports.ts";
import { answerCalls, christmas, openPreview, test } from "./open-preview.ts";

const moment = { ...christmas, test: "", group: "" };

describe.for(sitesOfBothClocks)("the changes of $site", (site) => {
  test("lead from one moment to the next and back, and out of the preview", async ({ sharedPage, shop }) => {
    const page = await sharedPage(stillDesktop);
    const panel = await openPreview(page, shop, site, { ...moment, previewDateTime: "2026-11-30T12:00:00Z" });
    const next = panel.getByRole("button", { name: /^Next change: 1 Dec 2026, \d\d:00 (CET|GMT\+3|TRT) .+ starts/ });
    await expect(next.locator("[lang]").first()).toHaveAttribute("lang", site.locale);
    await loadsAnew(page, () => next.click());
    await expect(panel).toContainText("Preview: 1 Dec 2026, 00:00");
    await expect(page.locator("footer[data-fragment=footer]")).toHaveAttribute("data-preview-context", "true");

    await openPreview(page, shop, site, { ...moment, previewDateTime: "2026-02-01T12:00:00Z" });
    const previous = panel.getByRole("button", { name: /^Previous change: 31 Dec 2025, .+ footer-promotion starts/ });
    await loadsAnew(page, () => previous.click());
    await expect(panel).toContainText(/Preview: 31 Dec 2025, 0[13]:00/);
    await expect(panel.getByRole("button", { name: /^Previous change/ })).toHaveCount(0);

    await loadsAnew(page, () => panel.getByRole("button", { name: "Leave preview" }).click());
    await expect(panel).toContainText("The shop as it is now");
    await expect(panel.getByRole("button", { name: "Leave preview" })).toHaveCount(0);
    await expect(page.locator("footer[data-fragment=footer]")).not.toHaveAttribute("data-preview-context");
    expect((await page.context().cookies()).map(({ name }) => name).sort()).toEqual([
      "CobraAuthToken",
      "KnownStaffDevice",
      "StaffAuthToken",
      "preview",
    ]);
  });
});

describe("a change", () => {
  const site = centralEuropeanSite;

  test("keeps the group as long as its test is active", async ({ sharedPage, shop }) => {
    const page = await sharedPage(stillDesktop);
    const panel = await openPreview(page, shop, site, christmas);
    await answerCalls(page, "changes", (request) =>
      request.fulfill({
        json: {
          status: "SUCCESS",
          previous: { dateTime: "2025-12-01T00:00:00Z", changes: [{ kind: "test", name: "other", change: "ends" }] },
          next: null,
        },
      }),
    );
    const sent = await answerCalls(page, "token", (request) => request.continue());
    await loadsAnew(page, () => panel.getByRole("button", { name: /^Previous change: 1 Dec 2026/ }).click());
    await expect(panel).toContainText("Preview: 1 Dec 2026, 00:00 CET footer-promotion: B");
    await expect(page.locator("[data-section=promotion]"), "the change").toBeInViewport();
    const earlier = panel.getByRole("button", { name: "Previous change: 1 Dec 2025, 01:00 CET other ends" });
    await loadsAnew(page, () => earlier.click());
    await expect(panel).toContainText("Preview: 1 Dec 2025, 01:00 CET");
    await expect(panel).not.toContainText("footer-promotion: B");
    expect(sent.map(({ url, json }) => [new URL(url).search, json()])).toEqual([
      ["?test=footer-promotion&group=B", { previewDateTime: "2026-11-30T23:00:00Z" }],
      ["?test=&group=", { previewDateTime: "2025-12-01T00:00:00Z" }],
    ]);
  });

  test("and leaving that fail are told, and may be tried again", async ({ shop, unwatchedPage }) => {
    const page = await unwatchedPage(stillDesktop);
    const panel = await openPreview(page, shop, site, christmas);
    let answered = Promise.withResolvers<void>();
    const sent = await answerCalls(page, "token", async (request) => {
      await answered.promise;
      await request.fulfill({ status: 500 });
    });
    for (const name of [/^Next change/, /^Previous change/, /^Leave preview/]) {
      answered = Promise.withResolvers();
      await panel.getByRole("button", { name }).dblclick();
      answered.resolve();
      const failure = panel.getByRole("status").filter({ hasText: "Applying settings failed." });
      await expect(failure.locator("[data-state=error]")).toBeVisible();
      await failure.getByRole("button", { name: "Dismiss the message" }).click();
      await expect(failure).toHaveCount(0);
    }
    expect(sent, "once for a double click").toHaveLength(3);
    const { previewDateTime } = Object(sent.at(-1)?.json());
    expect(
      Math.abs(Date.parse(previewDateTime) - Date.now()),
      "a service that can't leave takes the present",
    ).toBeLessThan(60_000);
    expect(new URL(sent.at(-1)?.url ?? "").search).toBe("?test=&group=&leave=true");
  });

  test("that nobody knows of leaves the rest of the panel", async ({ shop, unwatchedPage }) => {
    const page = await unwatchedPage(stillDesktop);
    const asked = await answerCalls(page, "changes", (request) => request.fulfill({ status: 500 }));
    const panel = await openPreview(page, shop, site, christmas);
    await expect.poll(() => asked.length).toBe(1);
    await expect(panel.getByRole("button", { name: "Leave preview" })).toBeVisible();
    await expect(panel.getByRole("button", { name: /change/ })).toHaveCount(0);
  });
});

async function loadsAnew(page: Page, act: () => Promise<void>) {
  const loaded = page.waitForEvent("load");
  await act();
  await loaded;
}
