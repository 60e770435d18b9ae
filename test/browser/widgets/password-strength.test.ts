import { describe } from "vitest";
import { expect } from "../expect.ts";
import { test } from "../shop-test.ts";
import { desktop } from "../viewports.ts";
import { openExample } from "./open-example.ts";

/** By the number of character classes in a password of at least 8 characters. */
const levels = {
  weak: ["aB3", "Kaffee7", "!!!!!!!!", "密码密码密码密码", "Aa1🫘🫘🫘🫘"],
  ok: ["kaffeebo", "12345678", "ŠČŘŽÝÁÍÉ", "٣٣٣٣٣٣٣٣"],
  strong: ["kaffee12", "Kaffeebo"],
  "very strong": ["Kaffee-7", "Пароль12", "Aa1🫘🫘🫘🫘🫘"],
};

describe("the strength of a password", () => {
  test("is the number of its character classes, in any script", async ({ sharedPage, shop }) => {
    const stage = await openExample(await sharedPage(desktop), shop, "password-strength", "empty");
    const field = stage.getByLabel("Password", { exact: true });
    for (const [level, passwords] of Object.entries(levels)) {
      for (const password of passwords) {
        await field.fill(password);
        await expect(field, password).toHaveAccessibleDescription(new RegExp(`Password strength: ${level}$`));
      }
    }
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
