import type { Locator } from "playwright";
import { expect } from "playwright/test";
import { describe } from "vitest";
import { centralEuropeanSite, sitesOfBothClocks } from "../chosen-sites.ts";
import { stillDesktop } from "../viewports.ts";
import { answerCalls, messageIn, openPreview, openTests } from "./open-preview.ts";
import { test } from "./preview-test.ts";

const skipped = "This time is left out on that day, when the clocks go forward. Used instead:";
const repeated = "This time comes twice on that day, when the clocks go back. The first one is used.";

describe.for(sitesOfBothClocks)("the moment that staff of $site choose", (site) => {
  const changesClocks = site === centralEuropeanSite;

  test("is one of the shop's time zone, which is named, with what its clocks do then", async ({ sharedPage, shop }) => {
    const page = await sharedPage(stillDesktop);
    const settings = await openTests(await openPreview(page, shop, site));
    const sent = await answerCalls(page, "token", (route) => route.continue());
    const zone = settings.getByText("In this shop’s time zone:");

    await choose(settings, "2026-07-01", "12:00");
    await expect(zone).toHaveText(
      `In this shop’s time zone: ${site.timeZone} (UTC${changesClocks ? "+02:00" : "+03:00"})`,
    );
    await choose(settings, "2026-12-24", "18:00");
    await expect(zone).toHaveText(
      `In this shop’s time zone: ${site.timeZone} (UTC${changesClocks ? "+01:00" : "+03:00"})`,
    );
    await choose(settings, "2027-03-28", "02:30");
    await expect(settings.getByText(`${skipped} 03:30.`)).toHaveCount(changesClocks ? 1 : 0);
    await apply(settings);
    await choose(settings, "2026-10-25", "02:30");
    await expect(settings.getByText(repeated)).toHaveCount(changesClocks ? 1 : 0);
    await apply(settings);
    await choose(settings, "2026-12-31", "");
    await apply(settings);

    expect(sent.map((request) => request.postDataJSON().previewDateTime)).toEqual(
      changesClocks
        ? ["2027-03-28T01:30:00Z", "2026-10-25T00:30:00Z", "2026-12-30T23:00:00Z"]
        : ["2027-03-27T23:30:00Z", "2026-10-24T23:30:00Z", "2026-12-30T21:00:00Z"],
    );
  });
});

async function choose(settings: Locator, date: string, time: string) {
  await settings.getByLabel("Date").fill(date);
  await settings.getByLabel("Time").fill(time);
  await expect(messageIn(settings)).toContainText("Active tests found.");
}

async function apply(settings: Locator) {
  await settings.getByRole("button", { name: "Set preview settings" }).click();
  await expect(messageIn(settings)).toContainText("Settings applied successfully.");
}
