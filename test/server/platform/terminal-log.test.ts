import { stripVTControlCharacters } from "node:util";
import { afterAll, expect, it, vi } from "vitest";
import { findFreePort } from "../../support/find-free-port.ts";
import { onTerminal, startProcess, stopProcesses } from "../../support/start-process.ts";
import { testLogger } from "../../support/test-app.ts";
import { createStorePlace, openTestStore } from "../../support/test-store.ts";

afterAll(stopProcesses);

it.each([
  ["in colour", {}],
  ["without, as NO_COLOR asks", { NO_COLOR: "1" }],
])("a terminal shows short lines %s, and the addresses after those of the start", async (_how, environment) => {
  const port = String(await findFreePort());
  const origin = `http://127.0.0.1:${port}`;
  const silent = `http://127.0.0.1:${await findFreePort()}`;
  const { dataDir } = await createStorePlace();
  const service = startProcess(
    { PORT: port, DATA_DIR: dataDir, UPSTREAM_PROMOTION_URL: silent, TERM: "xterm", ...environment },
    onTerminal,
  );
  const shown = () => stripVTControlCharacters(service.stdout()).replaceAll("\r", "");
  const isShown = (text: string) => vi.waitUntil(() => shown().includes(text), { timeout: 20_000, interval: 20 });
  const ask = async (path: string, init?: RequestInit) => (await fetch(origin + path, init)).text();

  await isShown("Shop  ");
  await ask("/");
  const [stylesheet = ""] = /\/assets\/footer[^"]*\.css/.exec(await ask("/fragments/footer/DE?reduced=true")) ?? [];
  await ask("/fragments/footer/DE?reduced=true");
  for (const path of [stylesheet, "/assets/missing.css", "/livez", "/fragments/footer?site=XX"]) await ask(path);
  await ask(`/service/newsletter/api/private/newsletter-subscribers/${"t0ken-".repeat(7)}`);
  const { db } = await openTestStore(testLogger, { databaseUrl: undefined, dataDir });
  await db.schema.dropTable("rateLimit").execute();
  const headers = { "Content-Type": "application/json", "X-hunter-csrf": "1", Origin: origin };
  const body = JSON.stringify({ email: "demo@example.com", password: "a" });
  await ask("/service/login/api/v1/login", { method: "POST", headers, body });
  await isShown("login 503");

  const [start = "", lines = ""] = shown().split(/(?<=Shop {6}.*\n\n)/);
  const time = String.raw`\[\d\d:\d\d:\d\d\]`;
  expect(start).toMatch(new RegExp(`^${time} INFO: configuration {[^}]*PORT: '${port}'`, "m"));
  expect(start).not.toMatch(/null|listening/);
  const upstream = "{ upstream: 'promotion', site: '[A-Z_]+', reason: '.*' }";
  expect(start).toMatch(new RegExp(`^${time} WARN: upstream failed ${upstream}$`, "m"));
  expect(start).toMatch(
    /\n\nCustomer .*\nStaff .*\nMails .*\nOverview {2}http:\/\/localhost:\d+\/\nShop {6}http:\/\/de\.localhost:\d+\/\n\n$/,
  );
  const requests = lines.match(/^\[.*(GET|POST).*$/gm)?.map((line) => line.replace(/ \d+ ms/, " 1 ms").slice(11));
  expect(requests).toEqual([
    "INFO: GET / 200 1 ms 127.0.0.1",
    "INFO: GET /fragments/footer/DE 200 1 ms DE miss",
    "INFO: GET /fragments/footer/DE 200 1 ms DE hit",
    "INFO: GET /assets/missing.css 404 1 ms 127.0.0.1",
    expect.stringMatching(/^INFO: GET \/fragments\/footer 400 1 ms 127.0.0.1: site must be one of /),
    "INFO: GET /service/newsletter/api/private/newsletter-subscribers/… 404 1 ms 127.0.0.1",
    "INFO: POST /service/login/api/v1/login 503 1 ms 127.0.0.1",
  ]);
  expect(lines).toMatch(
    /WARN: database statement failed.*"message": "no such table: rate_limit".*at .*network-limiter\.ts:/s,
  );
  expect(lines).not.toMatch(/requestId|traceId/);
  expect(service.stdout().includes("\x1b[")).toBe(!("NO_COLOR" in environment));
});
