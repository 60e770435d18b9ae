import { expect } from "playwright/test";
import { describe } from "vitest";
import { test } from "../shop-test.ts";
import { desktop } from "../viewports.ts";

const withoutScript = { ...desktop, javaScriptEnabled: false };

describe("a playground", () => {
  test("shows each change at once, and keeps it in the address", async ({ newPage, shop }) => {
    const page = await newPage(desktop);
    await page.goto(`${shop.listener}/widgets/button`);
    const playground = page.locator('[data-island="playground"]');
    await expect(playground).toHaveAttribute("data-island-state", "ready");
    await expect(playground.getByRole("button", { name: "Show" })).toHaveCount(0);
    await playground.getByLabel("children").fill("To the bag");
    await playground.getByLabel("variant").selectOption("sale");
    await playground.getByLabel("disabled").check();
    const look = async () => {
      const button = playground.locator(".sf-playground-stage .sf-button");
      await expect(button).toHaveText("To the bag");
      await expect(button).toHaveAttribute("data-variant", "sale");
      await expect(button).toBeDisabled();
      await expect(playground.locator("#playground-code")).toContainText('variant="sale"');
    };
    await look();
    await expect(playground.getByLabel("disabled")).toBeFocused();
    await expect(page).toHaveURL(/\/widgets\/button\?children=To\+the\+bag&variant=sale&disabled=on$/);
    await page.reload();
    await expect(playground).toHaveAttribute("data-island-state", "ready");
    await look();
  });

  test("is a form without script", async ({ newPage, shop }) => {
    const page = await newPage(withoutScript);
    await page.goto(`${shop.listener}/widgets/select`);
    const playground = page.locator('[data-island="playground"]');
    await playground.getByLabel("label", { exact: true }).fill("How ground?");
    await playground.getByLabel("state").selectOption("valid");
    await playground.getByRole("button", { name: "Show" }).click();
    await expect(page).toHaveURL(/\/widgets\/select\?.*label=How\+ground/);
    await expect(playground.locator(".sf-playground-stage").getByLabel("How ground?")).toBeVisible();
    await expect(playground.locator(".sf-playground-stage .sf-field")).toHaveAttribute("data-state", "valid");
    await expect(playground.getByLabel("state")).toHaveValue("valid");
  });
});
