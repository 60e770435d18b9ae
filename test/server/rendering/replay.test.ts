import type { RequestListener } from "node:http";
import request from "supertest";
import { expect, it, vi } from "vitest";
import type { Readiness } from "../../../server/platform/lifecycle.ts";
import { createTestApp } from "../../support/test-app.ts";

const footer = "/fragments/footer/AT";
const readiness: Readiness = { state: "ready" };
const { app, listener, logs, deps } = await createTestApp({ readiness });

type Method = "get" | "head";

const ask = (answer: RequestListener, path: string, headers: Record<string, string> = {}, method: Method = "get") =>
  request(answer)
    [method](path)
    .set({ Host: "edge.internal", "X-Request-Id": "one", ...headers });

/** Returns what callers see of an answer, without the time. */
async function seen(answer: RequestListener, path: string, headers?: Record<string, string>, method?: Method) {
  const { status, headers: all, text } = await ask(answer, path, headers, method);
  const { date, ...others } = all;
  return { status, headers: { ...others, "server-timing": others["server-timing"]?.replace(/[\d.]+/, "0.0") }, text };
}

/** Returns the log's content about the requests since the last call, without times. */
async function logged(count: number) {
  await expect.poll(() => logs.length).toBe(count);
  return logs.splice(0).map(({ time, durationMs, ...line }) => line);
}

const etag = String((await ask(app, footer)).headers.etag);
for (const path of [`${footer}.json`, "/fragments/head/AT"]) await ask(app, path);
await vi.waitUntil(() => logs.length === 3);
logs.length = 0;

it.each<[string, string, Record<string, string>?, Method?]>([
  ["a fragment", footer],
  ["its JSON", `${footer}.json`],
  ["the tags for a head", "/fragments/head/AT"],
  ["headers alone", footer, {}, "head"],
  ["the validator of the caller's copy", footer, { "If-None-Match": etag }],
  ["the same of HEAD", footer, { "If-None-Match": etag }, "head"],
  ["one of several", `${footer}.json`, { "If-None-Match": `"other", W/${etag}` }],
  ["any copy", footer, { "If-None-Match": "*" }],
  ["another copy", footer, { "If-None-Match": '"other"' }],
  ["a copy that must be sent again", footer, { "If-None-Match": etag, "Cache-Control": "no-cache" }],
  ["a part", footer, { Range: "bytes=0-99" }],
  ["cookies that change nothing", footer, { Cookie: "a=b; c=j:{}" }],
])("answers and logs a hit as Express does: %s", async (_what, path, headers, method) => {
  const byExpress = await seen(app, path, headers, method);
  const [line] = await logged(1);
  expect(await seen(listener, path, headers, method)).toEqual(byExpress);
  expect(await logged(1)).toEqual([line]);
});

it("leaves answers that differ between visitors to Express", async () => {
  const isHit = async (path: string, headers = {}) => {
    const { headers: sent } = await ask(listener, path, headers);
    return sent["cache-status"];
  };
  expect(await isHit(footer)).toBe("storefront; hit");
  const personal = await ask(listener, footer, { Cookie: "affiliateNumber=4711" });
  expect(personal.headers["cache-control"]).toBe("private, no-store");
  expect(personal.text).toContain('data-reduced="true"');
});

it("sends nothing of a personal answer to others, who get the same body", async () => {
  await ask(listener, "/fragments/footer/HU", { Cookie: "affiliateNumber=4711" });
  const path = "/fragments/footer/HU?reduced=true";
  const answers = [await ask(listener, path), await ask(listener, path)];
  const tags = expect.stringMatching(/^fragment-footer country-HU /);
  for (const { headers } of answers) expect(headers).toMatchObject({ etag: expect.any(String), "surrogate-key": tags });
  expect(answers[1]?.headers["cache-status"]).toBe("storefront; hit");
});

it("closes connections while the service drains", async () => {
  const connectionOf = async () => (await ask(listener, footer, { Connection: "keep-alive" })).headers.connection;
  expect(await connectionOf()).toBe("keep-alive");
  readiness.state = "draining";
  expect(await connectionOf()).toBe("close");
  readiness.state = "ready";
});

it("counts hits once", async () => {
  const hits = async () => {
    const metrics = await deps.metrics.registry.metrics();
    const counted = (name: string, label: string) =>
      Number(new RegExp(`^${name}\\{[^}]*${label}[^}]*\\} (\\d+)`, "m").exec(metrics)?.[1]);
    return [
      counted("fragment_responses_total", 'fragment="footer",site="AT",state="fresh",cache="hit"'),
      counted(
        "http_server_request_duration_seconds_count",
        '/fragments/:name{/:site}",http_response_status_code="200"',
      ),
    ];
  };
  const before = await hits();
  for (let i = 0; i < 3; i++) await ask(listener, footer);
  await expect.poll(hits).toEqual(before.map((count) => count + 3));
});
