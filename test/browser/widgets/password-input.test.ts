import type { Locator } from "playwright";
import { expect } from "playwright/test";
import { describe } from "vitest";
import { test as base } from "../shop-test.ts";
import { desktop } from "../viewports.ts";
import { openExample } from "./open-example.ts";
import { select, textWithCaret } from "./text-field.ts";

const test = base.extend("stage", async ({ sharedPage, shop }): Promise<Locator> => {
  const page = await sharedPage(desktop);
  const stage = await openExample(page, shop, "text-input", "password");
  const hide = stage.getByRole("button", { name: "Hide password" });
  if (await hide.isVisible()) await hide.click();
  await stage.getByLabel("Password", { exact: true }).fill("Espresso");
  return stage;
});

describe("a password", () => {
  test("is shown and hidden by a button that says what it does", async ({ stage }) => {
    const password = stage.getByLabel("Password", { exact: true });
    await expect(password).toHaveAttribute("type", "password");
    await stage.getByRole("button", { name: "Show password, Password", exact: true }).click();
    await expect(password).toHaveAttribute("type", "text");
    await expect(stage.getByRole("status")).toHaveText("Your password is shown.");
    await stage.getByRole("button", { name: "Hide password, Password", exact: true }).press("Enter");
    await expect(password).toHaveAttribute("type", "password");
    await expect(stage.getByRole("status")).toHaveText("Your password is hidden.");
  });

  test("keeps the focus and the caret when it is shown with the mouse", async ({ stage }) => {
    const password = stage.getByLabel("Password", { exact: true });
    await password.focus();
    await select(password, 3);
    await stage.getByRole("button").click();
    await expect(password).toBeFocused();
    expect(await textWithCaret(password)).toBe("Esp|resso");
    await stage.getByRole("button").click();
    expect(await textWithCaret(password)).toBe("Esp|resso");
  });

  test("is hidden before its form is sent", async ({ stage }) => {
    const password = stage.getByLabel("Password", { exact: true });
    await stage.getByRole("button").click();
    const sentAs = await password.evaluate((input: HTMLInputElement) => {
      const form = document.createElement("form");
      input.closest(".sf-specimen-stage")?.before(form);
      form.append(...(form.nextElementSibling?.childNodes ?? []));
      let type = "";
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        type = input.type;
      });
      form.requestSubmit();
      form.nextElementSibling?.append(...form.childNodes);
      form.remove();
      return type;
    });
    expect(sentAs).toBe("password");
  });

  test("is hidden when the page comes back from the browser's memory", async ({ stage }) => {
    await stage.getByRole("button").click();
    await stage.evaluate(() => dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
    await expect(stage.getByLabel("Password", { exact: true })).toHaveAttribute("type", "password");
  });

  test("has no button where there is no script", async ({ newPage, shop }) => {
    const page = await newPage({ ...desktop, javaScriptEnabled: false });
    await page.goto(`${shop.listener}/widgets/text-input`);
    const stage = page.locator('[data-widget="text-input"][data-example="password"] .sf-specimen-stage');
    await expect(stage.getByLabel("Password", { exact: true })).toBeVisible();
    await expect(stage.getByRole("button")).toHaveCount(0);
  });
});
