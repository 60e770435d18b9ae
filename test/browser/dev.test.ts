import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import type { Page } from "playwright";
import request from "supertest";
import { afterAll, beforeAll, describe, expect, vi } from "vitest";
import { copyCheckout } from "../support/copy-checkout.ts";
import { findFreePort } from "../support/find-free-port.ts";
import { type ServiceProcess, startProcess, stopProcesses } from "../support/start-process.ts";
import { test } from "./shop-test.ts";

/** The goal is two seconds, but tests share a busy machine. */
const limit = 20_000;

vi.setConfig({ testTimeout: 3 * limit, hookTimeout: 3 * limit });

const program = resolve("dist/server/commands/main.js");
const shop = join(await mkdtemp(join(tmpdir(), "dev-")), "shop");
const checkout = await copyCheckout();

afterAll(async () => {
  stopProcesses();
  for (const folder of [dirname(shop), checkout]) await rm(folder, { recursive: true, maxRetries: 3 });
});

interface Edit {
  what: string;
  file: string;
  change(content: string): string;
  /** Reads from the open page, which the test never reloads, or from the service. */
  look(page: Page, port: number): Promise<unknown>;
  expected: unknown;
}

const header = (name: string) => async (_page: Page, port: number) =>
  (await fetch(`http://localhost:${port}/fragments/footer/DE`)).headers.get(name);
const title = (page: Page) => page.title();
const inPage =
  <T>(read: (footer: HTMLElement) => T) =>
  (page: Page) =>
    page.locator("[data-fragment=footer]").evaluate(read);

const editsOfShop: Edit[] = [
  {
    what: "a text",
    file: "locales/de/page.json",
    change: (content) => content.replace("Der Onlineshop", "Alles Neue"),
    look: title,
    expected: expect.stringContaining("Alles Neue von"),
  },
  {
    what: "the brand",
    file: "brand.json",
    change: (content) => content.replace(/"name": ".*"/, '"name": "New Shop"'),
    look: title,
    expected: expect.stringContaining("New Shop"),
  },
  {
    what: "a picture in a new folder",
    file: "logos/visa.svg",
    change: () =>
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 7 7" width="7" height="7"><path d="M0 0h7"/></svg>',
    look: inPage((footer) => {
      const logo = footer.querySelector<HTMLImageElement>('img[src*="/visa.svg"]');
      // The browser decides how far from the window it loads images.
      logo?.scrollIntoView();
      return logo?.naturalWidth;
    }),
    expected: 7,
  },
  {
    what: "a variable",
    file: ".env",
    change: () => "HSTS=max-age=77\n",
    look: header("strict-transport-security"),
    expected: "max-age=77",
  },
];

const editsOfCheckout: Edit[] = [
  {
    what: "a style",
    file: "client/features/footer/footer.css",
    change: (content) => `${content}.sf-footer { --changed: yes }\n`,
    look: inPage((footer) => getComputedStyle(footer).getPropertyValue("--changed")),
    expected: "yes",
  },
  {
    what: "a component",
    file: "client/features/footer/Footer.tsx",
    change: (content) => content.replace('data-fragment="footer"', 'data-fragment="footer" id="changed"'),
    look: inPage((footer) => footer.id),
    expected: "changed",
  },
  {
    what: "code of the server",
    file: "server/http/security-headers.ts",
    change: (content) => content.replace(`objectSrc: ["'none'"]`, `objectSrc: ["'self'"]`),
    look: header("content-security-policy"),
    expected: expect.stringContaining("object-src 'self'"),
  },
];

describe.each([
  {
    where: "in a shop's folder",
    folder: shop,
    command: [process.execPath, program, "dev"] as const,
    edits: editsOfShop,
    wrong: {
      file: "countries/de.ts",
      from: 'locale: "de-DE"',
      to: "locale: 5",
      fault: "countries/de.ts /locale must be",
    },
  },
  {
    where: "in the checkout",
    folder: checkout,
    command: [process.execPath, "build.mjs", "--watch"] as const,
    edits: editsOfCheckout,
    wrong: { file: "server/app.ts", from: "return {", to: "return {{", fault: "server/app.ts:" },
  },
])("dev $where", ({ folder, command, edits, wrong }) => {
  const started = Promise.withResolvers<{ service: ServiceProcess; port: number; opsPort: number }>();

  beforeAll(async () => {
    if (folder === shop) await promisify(execFile)(process.execPath, [program, "init", shop]);
    const opsPort = await findFreePort();
    const service = startProcess({ PATH: process.env.PATH ?? "", OPS_PORT: String(opsPort) }, command, folder);
    started.resolve({ service, opsPort, port: await service.port });
  });

  test("shows each saved change in the open page, and lets requests wait meanwhile", async ({ newPage }) => {
    const { port } = await started.promise;
    const page = await newPage({});
    await page.goto(`http://de.localhost:${port}/`);
    const polls = pollUntilStopped(port);
    for (const { what, file, change, look, expected } of edits) {
      expect(await look(page, port), `${what}, before`).not.toEqual(expected);
      const savedAt = performance.now();
      await save(folder, file, change);
      // The page may be loading.
      const seen = () => look(page, port).catch(() => undefined);
      await expect.poll(seen, { timeout: limit, interval: 20, message: what }).toEqual(expected);
      console.log(`${what} is shown ${Math.round(performance.now() - savedAt)} ms after it was saved`);
    }
    expect(new Set(await polls.stop())).toEqual(new Set([200]));
  });

  test("answers a foreign host with fragments alone", async () => {
    const { port } = await started.promise;
    const ask = (path: string, host: string) => request(`http://127.0.0.1:${port}`).get(path).set("Host", host);
    for (const path of ["/", "/outbox", "/@dev/events", "/@dev/reload.js"]) {
      await ask(path, `evil.example:${port}`).expect(403, /ALLOWED_HOSTS/);
      // If its version differs from that of the page, the stream ends at once.
      await ask(path, `de.localhost:${port}`).expect(200);
    }
    await ask("/fragments/footer/DE", `evil.example:${port}`).expect(200);
  });

  test("shows a fault until it is corrected, in the page and in the terminal", async ({ unwatchedPage }) => {
    const { service, port } = await started.promise;
    const page = await unwatchedPage({});
    await page.goto(`http://de.localhost:${port}/`);
    const { file, from, to, fault } = wrong;
    await save(folder, file, (content) => content.replace(from, to));
    const dialog = page.getByRole("dialog");
    await dialog.getByText(fault).waitFor({ timeout: limit });
    const marked = (await dialog.locator(".source").textContent())?.match(/^> +\d+ \| (.*)$/m)?.[1];
    expect(marked).toContain(to);
    expect(await page.locator("[data-fragment=footer]").count()).toBe(1);
    expect(service.stderr()).toContain(fault);
    await page.reload();
    await page.locator("body > .source").waitFor({ timeout: limit });
    expect(await page.locator("[data-fragment=footer]").count()).toBe(0);
    expect((await fetch(`http://localhost:${port}/fragments/footer/DE`)).status).toBe(500);
    const ask = request(`http://127.0.0.1:${port}`).get("/fragments/footer/DE").set("Host", "evil.example");
    expect((await ask.expect(403)).text).not.toContain(fault);
    await save(folder, file, (content) => content.replace(to, from));
    await page.locator("[data-fragment=footer]").waitFor({ timeout: limit });
  });

  test("ends at once with all of its processes, has told its addresses once, and touches no build", async ({
    unwatchedPage,
  }) => {
    const { service, port, opsPort } = await started.promise;
    // Its page keeps an event stream open.
    const page = await unwatchedPage({});
    await page.goto(`http://de.localhost:${port}/`);
    const second = startProcess({ PORT: String(port) }, command, folder);
    expect((await second.ended).code).toBe(1);
    expect(second.stderr()).toContain(`PORT=${port + 1}`);
    service.signal("SIGINT");
    expect(await service.ended).toMatchObject({ code: 0 });
    for (const each of [port, opsPort])
      await expect.poll(() => fetch(`http://127.0.0.1:${each}/livez`).catch(() => "refused")).toBe("refused");
    expect(existsSync(join(folder, "dist"))).toBe(false);
    expect(service.stdout().match(/^Overview /gm)).toHaveLength(1);
  });
});

async function save(folder: string, file: string, change: (content: string) => string) {
  const path = join(folder, file);
  const content = existsSync(path) ? await readFile(path, "utf8") : "";
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, change(content));
}

/** Requests a footer repeatedly. `stop` returns the statuses, and the reason if there was no answer. */
function pollUntilStopped(port: number) {
  const statuses: unknown[] = [];
  let isStopped = false;
  const polling = poll();
  return {
    async stop() {
      isStopped = true;
      await polling;
      return statuses;
    },
  };

  async function poll() {
    while (!isStopped) {
      const answer = await fetch(`http://localhost:${port}/fragments/footer/DE`).catch((error) => error);
      if (answer instanceof Response) expect(await answer.text()).not.toContain('<script src="/@dev');
      statuses.push(answer instanceof Response ? answer.status : answer);
    }
  }
}
