import type { Page } from "playwright";
import { afterAll, beforeAll } from "vitest";
import panelTexts from "../../../locales/en/preview-panel.json" with { type: "json" };
import { findFreePort } from "../../support/find-free-port.ts";
import { type IdentityProvider, startIdentityProvider } from "../../support/identity-provider.ts";
import { type ServiceProcess, startProcess, stopProcesses } from "../../support/start-process.ts";
import { siteOf, texts } from "../../support/test-app.ts";
import { expect } from "../expect.ts";
import { findViolations } from "../find-violations.ts";
import { test } from "../shop-test.ts";
import { desktop } from "../viewports.ts";

const client = { id: "preview", secret: "the-secret-of-the-preview" };
const site = siteOf("DE");
const port = await findFreePort();
const origin = `http://${site.localHost}:${port}`;
const footer = "footer[data-fragment=footer]";
const settings = "dialog[open] .sf-preview-settings";

let provider: IdentityProvider;
let service: ServiceProcess;

beforeAll(async () => {
  provider = await startIdentityProvider({
    clients: [{ ...client, callbacks: [`${origin}/preview/callback`] }],
    people: [
      { email: "ada@shop.example", groups: ["shop-staff"] },
      { email: "bob@shop.example", groups: ["office"] },
    ],
  });
  service = startProcess({
    PORT: String(port),
    DEMO: "on",
    OIDC_STAFF_ISSUER: provider.issuer,
    OIDC_STAFF_CLIENT_ID: client.id,
    OIDC_STAFF_CLIENT_SECRET: client.secret,
    OIDC_STAFF_GROUP: "groups=shop-staff",
  });
  await service.port;
});
afterAll(stopProcesses);
afterAll(() => provider.stop());

async function signInAt(page: Page, email: string): Promise<void> {
  await expect(page.getByRole("heading", { name: "Sign in at the provider" })).toBeVisible();
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Sign in" }).click();
}

test("staff sign in at their provider, preview a date, and sign out", async ({ newPage }) => {
  const page = await newPage(desktop);
  await page.goto(`${origin}/preview`);
  await signInAt(page, "ada@shop.example");
  await expect(page).toHaveURL(`${origin}/`);
  const state = page.locator(".sf-preview-state");
  await expect(state).toContainText(panelTexts["state.live"]);

  await page.locator(".sf-preview-actions button").last().click();
  await page.locator(`${settings} [type=date]`).fill("2026-12-24");
  await page.locator(`${settings} [type=time]`).fill("18:00");
  await page.locator(`${settings} [type=submit]`).click();
  await expect(page.locator(settings)).toContainText(panelTexts["apply.success"]);
  await page.keyboard.press("Escape");
  await expect(page.locator(footer)).toHaveAttribute("data-preview-context", "true");
  await expect(state).toContainText("24 Dec 2026, 18:00 CET");

  await page.locator(".sf-preview-actions button").last().click();
  await page.locator(`${settings} .sf-preview-buttons [type=button]`).click();
  await expect(page.locator(`${footer}:not([data-preview-context])`)).toBeVisible();
  await expect(state).toBeHidden();
  // The provider still remembers them, so it asks nothing.
  await page.goto(`${origin}/preview`);
  await expect(state).toContainText(panelTexts["state.live"]);
});

test("somebody outside the group reads why, and can sign in with another account", async ({ unwatchedPage }) => {
  const text = texts.translator(site.locale, "staff-sign-in");
  // The browser itself logs the page's status as an error.
  const page = await unwatchedPage(desktop);
  await page.goto(`${origin}/preview`);
  await signInAt(page, "bob@shop.example");
  await expect(page.getByText(text("notAllowed"))).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole("link", { name: text("another") }).click();
  await signInAt(page, "ada@shop.example");
  await expect(page.locator(".sf-preview-state")).toContainText(panelTexts["state.live"]);
});

test("the start names no password of staff, whose form is off", async () => {
  expect(service.stdout()).toContain("demo@example.com");
  expect(service.stdout()).not.toContain("staff@example.com");
});
