import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect } from "playwright/test";
import PostalMime from "postal-mime";
import { afterAll, beforeAll } from "vitest";
import { findOrInstall } from "../support/debian-packages.ts";
import { findFreePort } from "../support/find-free-port.ts";
import { blockText, pageText } from "../support/newsletter-pages.ts";
import { startProcess, stopProcesses } from "../support/start-process.ts";
import { siteOf } from "../support/test-app.ts";
import { readyBlock } from "./open-newsletter.ts";
import { test } from "./shop-test.ts";
import { desktop } from "./viewports.ts";

const customer = { email: "anna@example.com", password: "anna's coffee" };
const moved = siteOf("AT");
const folder = mkdtempSync(join(tmpdir(), "services-"));
const port = await findFreePort();
const origin = `http://${moved.localHost}:${port}`;

const newsletter = await startService("newsletter.py", { [`SITE_ORIGIN_${moved.site}`]: origin });
const login = await startService("login.py", { NEWSLETTER_URL: newsletter.url });
const shop = startProcess({
  PORT: String(port),
  UPSTREAM_LOGIN_URL: login.url,
  UPSTREAM_CUSTOMER_URL: login.url,
  UPSTREAM_NEWSLETTER_URL: newsletter.url,
});
beforeAll(() => shop.port);

afterAll(async () => {
  stopProcesses();
  await Promise.all([newsletter.stop(), login.stop()]);
  rmSync(folder, { recursive: true });
});

test("a customer of the example services signs up, logs in, stays logged in and logs out", async ({ newPage }) => {
  const page = await newPage(desktop);
  const { email, password } = customer;
  const text = pageText(moved);
  await page.goto(`${origin}/`);
  const block = await readyBlock(page);
  await block.locator("[name=email]").fill(email);
  await block.locator("[type=submit]").click();
  await expect(block.locator("[role=status]")).toContainText(blockText(moved)("success.heading"));
  await page.goto(await linkOfNewestMail("confirm"));
  await page.getByRole("button", { name: text("confirm.button") }).click();
  await expect(page.locator("h1")).toHaveText(text("confirmed.title"));

  await page.goto(`${origin}/login`);
  const form = page.locator("main form");
  await form.locator("[name=email]").fill(email);
  await form.locator("[name=password]").fill(password);
  await form.locator("[type=submit]").click();
  await page.waitForURL(`${origin}/`);
  await expect(page.locator("[data-section=newsletter]")).toHaveCount(0);

  await page.clock.install();
  await page.goto(`${origin}/`);
  const renewed = page.waitForResponse("**/logintoken/renew");
  await page.clock.runFor(15 * 60_000);
  expect((await renewed).status()).toBe(201);

  await page.locator("form[action='/logout'] button").click();
  await expect(page.locator("form[action='/logout']")).toHaveCount(0);
  await page.goto(await linkOfNewestMail("unsubscribe"));
  await page.locator("main [type=submit]").click();
  await expect(page.locator("h1")).toHaveText(text("unsubscribed.title"));
});

/** Starts a service of examples/services/, with its data in the test's folder. */
async function startService(file: string, environment: Record<string, string>) {
  // A minimal Python lacks this module.
  const python = findOrInstall("python3", "-cimport sqlite3", "python3");
  const ownPort = await findFreePort();
  const child = spawn(python, [resolve("examples/services", file)], {
    cwd: folder,
    env: { PORT: String(ownPort), ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await Promise.race([
    once(child.stdout, "data"),
    once(child, "exit").then(() => Promise.reject(new Error(`${file} has ended`))),
  ]);
  return {
    url: `http://127.0.0.1:${ownPort}`,
    async stop() {
      child.kill();
      await once(child, "exit");
    },
  };
}

/** Returns the link of the newest mail to a page of the newsletter. */
async function linkOfNewestMail(page: string): Promise<string> {
  const outbox = join(folder, "outbox");
  const newest = (await readdir(outbox)).sort().at(-1) ?? "";
  const { text = "" } = await PostalMime.parse(await readFile(join(outbox, newest)));
  return new RegExp(`http:\\S+/newsletter/${page}\\?token=\\S+`).exec(text)?.[0] ?? "";
}
