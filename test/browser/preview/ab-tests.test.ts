import type { Locator } from "playwright";
import { describe } from "vitest";
import { centralEuropeanSite } from "../chosen-sites.ts";
import { expect } from "../expect.ts";
import { messageOf } from "../open-newsletter.ts";
import { stillDesktop } from "../viewports.ts";
import { answerCalls, christmas, messageIn, openPreview, openSettings, openTests, test } from "./open-preview.ts";

const two = [
  { name: "footer-promotion", groups: [{ name: "A" }, { name: "B" }] },
  { name: "teaser", groups: [{ name: "Large" }, { name: "Small" }] },
];
const placeholders = { name: "Select an A/B test", group: "Select a group" };
const missing = "Please also select an A/B test group!";

describe("the A/B tests of the preview", () => {
  const site = centralEuropeanSite;

  test("need a group: one that is chosen, and of the test that is", async ({ sharedPage, shop }) => {
    const page = await sharedPage(stillDesktop);
    await answerCalls(page, "tests", (request) => request.fulfill({ json: two }));
    const settings = await openTests(await openPreview(page, shop, site));
    const [name, group] = [settings.getByLabel("Name"), settings.getByLabel("Group")];
    await expect(group).toBeDisabled();
    await expectRequired(group, false);

    await name.selectOption("footer-promotion");
    await expect(group).toBeEnabled();
    await expectRequired(group, true);
    await group.selectOption("B");
    await expectRequired(group, false);
    await group.selectOption(placeholders.group);
    await expectRequired(group, true);
    await group.selectOption("A");

    await name.selectOption("teaser");
    expect(await entriesOf(settings, "Group")).toEqual([placeholders.group, "Large", "Small"]);
    expect(await chosenIn(settings)).toEqual(["teaser", placeholders.group]);
    await expectRequired(group, true);

    for (const nothing of ["None", placeholders.name]) {
      await name.selectOption("teaser");
      await group.selectOption("Small");
      await name.selectOption(nothing);
      await expect(group).toBeDisabled();
      await expect(group, "in a panel that stays open").toBeVisible();
      expect(await chosenIn(settings)).toEqual([nothing, placeholders.group]);
      await expectRequired(group, false);
    }
  });

  test("without a group aren't sent; the focus goes to it, out of a closed panel, too", async ({
    sharedPage,
    shop,
  }) => {
    const page = await sharedPage(stillDesktop);
    const sent = await answerCalls(page, "token", (request) => request.abort());
    const settings = await openTests(await openPreview(page, shop, site));
    const group = settings.getByLabel("Group");
    await settings.getByLabel("Name").selectOption("footer-promotion");
    for (const close of [false, true]) {
      if (close) await settings.getByText("A/B Test settings").click();
      await expect(group).toBeVisible({ visible: !close });
      await settings.getByRole("button", { name: "Set preview settings" }).click();
      await expect(messageIn(settings)).toContainText(missing);
      await expect(messageIn(settings).locator("[data-state]")).toHaveAttribute("data-state", "error");
      await expect(group).toBeVisible();
      await expect(group).toBeFocused();
      await settings.getByRole("button", { name: "Dismiss the message" }).click();
    }
    expect(sent).toEqual([]);
  });

  test("start with the previewed one, and follow the date; another one resets the group", async ({
    sharedPage,
    shop,
  }) => {
    const page = await sharedPage(stillDesktop);
    const settings = await openSettings(await openPreview(page, shop, site, christmas));
    await expect(messageIn(settings)).toContainText("Active tests found.");
    await expect(settings.getByLabel("Group"), "in a panel that is open").toBeVisible();
    expect(await chosenIn(settings)).toEqual(["footer-promotion", "B"]);
    await expect(settings.getByLabel("Date")).toHaveValue("2026-12-24");
    await expect(settings.getByLabel("Time")).toHaveValue("18:00");
    const asked = await answerCalls(page, "tests", (request) => request.continue());
    await settings.getByLabel("Date").fill("2027-07-01");
    await expect(settings.getByLabel("Group")).toHaveValue("");
    await expect(messageIn(settings)).toContainText("Active tests found.");
    await expect(messageIn(settings).locator("[data-state]")).toHaveAttribute("data-state", "success");
    expect(await chosenIn(settings)).toEqual(["footer-promotion", placeholders.group]);
    await expectRequired(settings.getByLabel("Group"), true);

    await settings.getByLabel("Group").selectOption("A");
    await settings.getByLabel("Time").fill("09:30");
    await expect.poll(() => asked.length).toBe(2);
    await settings.getByLabel("Date").fill("2019-12-31");
    await expect(messageIn(settings)).toContainText("No active tests for this date.");
    await expect(messageIn(settings).locator("[data-state]")).toHaveAttribute("data-state", "info");
    expect(await entriesOf(settings, "Name")).toEqual([placeholders.name, "None"]);
    expect(await chosenIn(settings)).toEqual([placeholders.name, placeholders.group]);
    await expect(settings.getByLabel("Group")).toBeDisabled();
    expect(asked.map(({ url }) => new URL(url).searchParams.get("time"))).toEqual([
      "2027-07-01T16:00:00Z",
      "2027-07-01T07:30:00Z",
      "2019-12-31T08:30:00Z",
    ]);
  });

  test("stay those of the last date when an earlier answer comes late", async ({ sharedPage, shop }) => {
    const page = await sharedPage(stillDesktop);
    const settings = await openTests(await openPreview(page, shop, site));
    const first = Promise.withResolvers<void>();
    const asked = await answerCalls(page, "tests", async (request) => {
      const isFirst = new URL(request.url).searchParams.get("time")?.startsWith("2027-01") ?? false;
      if (isFirst) await first.promise;
      await request.fulfill({ json: isFirst ? two : [] });
    });
    await settings.getByLabel("Date").fill("2027-01-15");
    await expect(messageIn(settings)).toContainText("Loading tests...");
    await settings.getByLabel("Date").fill("2027-02-15");
    await expect(messageIn(settings)).toContainText("No active tests for this date.");
    const answered = page.waitForResponse((response) => response.url() === asked[0]?.url);
    first.resolve();
    await (await answered).finished();
    await expect(messageIn(settings)).toContainText("No active tests for this date.");
    expect(await entriesOf(settings, "Name")).toEqual([placeholders.name, "None"]);
  });
});

function entriesOf(settings: Locator, label: string): Promise<string[]> {
  return settings.getByLabel(label).locator("option").allTextContents();
}

/** Returns the selected entries of both lists. */
function chosenIn(settings: Locator): Promise<string[]> {
  return settings.locator("option:checked").allTextContents();
}

/** "Required" is a text that screen readers read with the list, which is marked as invalid. */
async function expectRequired(group: Locator, required: boolean) {
  if (required) await expect(group).toHaveAttribute("aria-invalid", "true");
  else await expect(group).not.toHaveAttribute("aria-invalid");
  expect((await messageOf(group)).trim()).toBe(required ? "Required" : "");
}
