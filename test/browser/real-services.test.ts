import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Page } from "playwright";
import PostalMime from "postal-mime";
import { afterAll, beforeAll } from "vitest";
import { minute, second } from "../../client/rules/time.ts";
import texts from "../../locales/de/footer.json" with { type: "json" };
import type { Site } from "../../server/sites/countries.ts";
import { findOrInstall } from "../support/debian-packages.ts";
import { findFreePort } from "../support/find-free-port.ts";
import { blockText, pageText } from "../support/newsletter-pages.ts";
import { runCommand } from "../support/run-command.ts";
import { startProcess, stopProcesses } from "../support/start-process.ts";
import { texts as shopTexts, siteOf } from "../support/test-app.ts";
import { expect } from "./expect.ts";
import { readyBlock } from "./open-newsletter.ts";
import { test } from "./shop-test.ts";
import { desktop } from "./viewports.ts";

const anna = { email: "anna@example.com", password: "anna's coffee" };
const demo = { email: "demo@example.com", password: "correct horse battery staple" };
const moved = siteOf("AT");
const stayed = siteOf("DE");

const folder = await mkdtemp(join(tmpdir(), "services-"));
const port = await findFreePort();
const addressOf = ({ localHost }: Site, path: string) => `http://${localHost}:${port}${path}`;

const newsletter = await startService("newsletter.py", { SITE_ORIGIN_AT: addressOf(moved, "") });
const login = await startService("login.py", { NEWSLETTER_URL: newsletter.url });
const content = await startService("content.py", { FOLDER: folder });
const shop = startProcess({
  PORT: String(port),
  DEMO_PASSWORD: demo.password,
  UPSTREAM_NEWSLETTER_URL_AT: newsletter.url,
  UPSTREAM_LOGIN_URL_AT: login.url,
  UPSTREAM_CUSTOMER_URL_AT: login.url,
  UPSTREAM_CONTENT_URL: content.url,
});

const [builtIn, changed] = [texts["legal.imprint"], "Wer wir sind"];
let footerBefore = "";

beforeAll(async () => {
  footerBefore = await (await fetch(`http://127.0.0.1:${await shop.port}/fragments/footer/${moved.site}`)).text();
  // The shop polls every 20 seconds, so the other tests run in the meantime.
  await writeFile(
    join(folder, `${moved.site}.json`),
    JSON.stringify({ texts: { ...texts, "legal.imprint": changed } }),
  );
});

afterAll(async () => {
  for (const { stop } of [newsletter, login, content]) await stop();
  stopProcesses();
  await rm(folder, { recursive: true });
});

test("customers of a site on the example services sign up, log in, stay logged in and log out", async ({ newPage }) => {
  const page = await newPage(desktop);
  const text = pageText(moved);
  const preferencesText = shopTexts.translator(moved.locale, "preferences");
  await page.goto(addressOf(moved, "/"));
  const block = await readyBlock(page);
  await block.locator("[name=email]").fill(anna.email);
  await block.locator("[type=submit]").click();
  await expect(block.locator("[role=status]")).toContainText(blockText(moved)("success.heading"));
  await page.goto(await linkOfNewestMail("confirm"));
  await page.getByRole("button", { name: text("confirm.button") }).click();
  await expect(page.locator("h1")).toHaveText(text("confirmed.title"));

  await logIn(page, moved, anna);
  await expect(page.locator("[data-section=newsletter]")).toHaveCount(0);
  await page.clock.install();
  await page.goto(addressOf(moved, "/"));
  const renewed = page.waitForResponse("**/logintoken/renew");
  await page.clock.runFor(15 * minute);
  expect((await renewed).status()).toBe(201);

  await page.goto(addressOf(moved, "/"), { waitUntil: "networkidle" });
  await page.locator("form[action='/logout'] button").click();
  await expect(page.locator("form[action='/logout']")).toHaveCount(0);
  await page.goto(await linkOfNewestMail("preferences"));
  const form = page.locator("main form[action='/newsletter/preferences']");
  await form.locator("[name=firstName]").fill("Anna");
  await form.locator("[value=COFFEE]").check();
  await form.locator("[type=submit]").click();
  await expect(page.locator("main .sf-notification")).toHaveText(new RegExp(preferencesText("saved")));
  await expect(form.locator("[name=firstName]")).toHaveValue("Anna");
  await expect(form.locator("[name=categories]:checked")).toHaveValue("COFFEE");
  await page.locator("main form[action='/newsletter/unsubscribe'] [type=submit]").click();
  await expect(page.locator("h1")).toHaveText(text("unsubscribed.title"));
});

test("the other sites stay on the embedded services", async ({ newPage }) => {
  const page = await newPage(desktop);
  await logIn(page, stayed, demo);
  await expect(page.locator("form[action='/logout']")).toHaveCount(1);
});

test("check-upstream makes every call of the example services, and finds no fault", async () => {
  const variables = {
    DEFAULT_SITE: moved.site,
    CHECK_EMAIL: anna.email,
    CHECK_PASSWORD: anna.password,
    CHECK_TOKEN: await signUp("waiting@example.com"),
    CHECK_TOKEN_EXPIRED: await signUp("expired@example.com"),
    CHECK_TOKEN_PREFERENCES: await signUp("subscribed@example.com"),
  };
  const database = new DatabaseSync(join(folder, "newsletter.sqlite"));
  database.exec("update subscription set asked_at = 0 where email = 'expired@example.com'");
  database.exec("update subscription set status = 'SUBSCRIBED' where email = 'subscribed@example.com'");
  database.close();
  const services = { newsletter, login, customer: login, content };
  for (const [name, { url }] of Object.entries(services)) {
    const { code, stdout, stderr } = await runCommand(variables, "check-upstream", name, url, "--json");
    expect({ code, ...JSON.parse(stdout || stderr) }, name).toMatchObject({ code: 0, deviations: [], notChecked: [] });
  }
});

test("a changed file of the content service changes the footer of the running shop", async ({ newPage }) => {
  expect(footerBefore).toContain(`>${builtIn}<`);
  const page = await newPage(desktop);
  const link = page.locator("[data-section=legal] a[href$=imprint]");
  await expect(async () => {
    await page.goto(addressOf(moved, "/"));
    await expect(link).toHaveText(changed, { timeout: second });
  }).toPass({ timeout: 30 * second });
  await page.goto(addressOf(stayed, "/"));
  await expect(link).toHaveText(builtIn);
});

async function logIn(page: Page, site: Site, { email, password }: typeof anna) {
  await page.goto(addressOf(site, "/login"));
  const form = page.locator("main form");
  await form.locator("[name=email]").fill(email);
  await form.locator("[name=password]").fill(password);
  await form.locator("[type=submit]").click();
  await page.waitForURL(addressOf(site, "/"));
}

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

/**
 * Signs an address up as a page of the shop does.
 * @returns the token in its email
 */
async function signUp(email: string): Promise<string> {
  await fetch(`${newsletter.url}/service/newsletter/api/internal/newsletter-subscribers`, {
    method: "POST",
    headers: { "X-Site": moved.site, "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-origin" },
    body: JSON.stringify({ email }),
  });
  return new URL(await linkOfNewestMail("confirm")).searchParams.get("token") ?? "";
}

/** Returns the link of the newest mail to a page of the newsletter. */
async function linkOfNewestMail(page: string): Promise<string> {
  const outbox = join(folder, "outbox");
  const newest = (await readdir(outbox)).sort().at(-1) ?? "";
  const { text = "" } = await PostalMime.parse(await readFile(join(outbox, newest)));
  return new RegExp(`http:\\S+/newsletter/${page}\\?token=\\S+`).exec(text)?.[0] ?? "";
}
