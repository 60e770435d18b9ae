import { expect } from "playwright/test";
import { describe } from "vitest";
import { sites } from "../../support/test-app.ts";
import { test } from "../shop-test.ts";
import { desktop } from "../viewports.ts";
import { openExample } from "./open-example.ts";

describe("the strength of a password", () => {
  test("shows at once, describes the field and is said after a pause", async ({ sharedPage, shop }) => {
    const page = await sharedPage(desktop);
    const stage = await openExample(page, shop, "password-strength", "empty");
    const password = stage.getByLabel("Password", { exact: true });
    const said = stage.getByRole("status").last();
    for (const [typed, level] of [
      ["Kaffee7", "weak"],
      ["x", "very strong"],
    ] as const) {
      await password.pressSequentially(typed);
      await expect(password).toHaveAccessibleDescription(new RegExp(`Password strength: ${level}$`));
    }
    await expect(said).toHaveText("Password strength: very strong");
    await password.fill("");
    await expect(said).toBeEmpty();
    await expect(stage.getByText("Password strength")).toHaveCount(0);
  });

  test("is said once while one types on", async ({ newPage, shop }) => {
    const page = await newPage(desktop);
    await page.clock.install();
    const stage = await openExample(page, shop, "password-strength", "empty");
    await page.clock.pauseAt(Date.now() + 3_600_000);
    const password = stage.getByLabel("Password", { exact: true });
    const said = stage.getByRole("status").last();
    for (const key of "Kaffee7x") {
      await password.press(key);
      await page.clock.runFor(900);
      await expect(said).not.toContainText("very strong");
    }
    await page.clock.runFor(200);
    await expect(said).toHaveText("Password strength: very strong");
  });

  test("has its words in the language of every site", async ({ sharedPage, shop }) => {
    const page = await sharedPage(desktop);
    for (const { locale } of sites) {
      const levels = [];
      for (const example of ["weak", "ok", "strong", "very strong"]) {
        const stage = await openExample(page, shop, "password-strength", example, locale);
        levels.push(await stage.locator(".sf-strength-text").innerText());
      }
      expect(new Set(levels).size, locale).toBe(4);
    }
  });
});
