import { expect } from "playwright/test";
import { describe } from "vitest";
import { test } from "../shop-test.ts";
import { desktop } from "../viewports.ts";
import { openExample } from "./open-example.ts";

/** By the number of character classes in a password of at least 8 characters. */
const levels = {
  weak: ["aB3", "Kaffee7", "!!!!!!!!", "        ", "密码密码密码密码", "Aa1☕☕☕☕", "Aa1🫘🫘🫘🫘"],
  ok: ["kaffeebo", "KAFFEEBO", "12345678", "ščřžýáíé", "ŠČŘŽÝÁÍÉ", "密码密码密码密7", "٣٣٣٣٣٣٣٣"],
  strong: ["kaffee12", "Kaffeebo", "KAFFEE12", "İıĞğŞşÖö"],
  "very strong": ["Kaffee12", "Kaffee-7", "Ąę7łŁóżź", "Пароль12", "Aa1🫘🫘🫘🫘🫘"],
};

describe("the strength of a password", () => {
  test("is the number of its character classes, in any script", async ({ sharedPage, shop }) => {
    const stage = await openExample(await sharedPage(desktop), shop, "password-strength", "empty");
    for (const [level, passwords] of Object.entries(levels)) {
      for (const password of passwords) {
        await stage.getByLabel("Password", { exact: true }).fill(password);
        await expect(stage.locator(".sf-strength-text"), password).toHaveText(`Password strength: ${level}`);
      }
    }
  });

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
});
