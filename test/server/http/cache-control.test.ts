import express, { type Response } from "express";
import request from "supertest";
import { expect, it, onTestFinished, vi } from "vitest";
import {
  type CachePolicy,
  cachePolicy,
  clearBrowserCache,
  setCachePolicy,
} from "../../../server/http/cache-control.ts";

const usual = "public, max-age=60, s-maxage=300, stale-while-revalidate=600, stale-if-error=86400";

async function headerOf(set: (response: Response) => void): Promise<string | undefined> {
  const app = express().use((_request, response) => {
    set(response);
    response.end();
  });
  return (await request(app).get("/")).headers["cache-control"];
}

const cases: [CachePolicy[], string | undefined][] = [
  [["immutable"], "public, max-age=31536000, immutable"],
  [["public"], usual],
  [["page"], "no-store"],
  [["public", "brief"], "public, max-age=5"],
  [["page", "public"], "no-store"],
  [["private", "page", "public"], "private, no-store"],
];

it.each(cases)("the strictest of several policies counts: %j", async (policies, header) => {
  expect(await headerOf((response) => policies.forEach((policy) => void setCachePolicy(response, policy)))).toBe(
    header,
  );
});

it.each([
  [900_000, usual],
  [899_999, "public, max-age=60, s-maxage=300, stale-while-revalidate=599, stale-if-error=86400"],
  [299_999, "public, max-age=60, s-maxage=299, stale-while-revalidate=0, stale-if-error=86400"],
  [1_500, "public, max-age=1, s-maxage=1, stale-while-revalidate=0, stale-if-error=86400"],
  [999, "public, max-age=0, s-maxage=0, stale-while-revalidate=0, stale-if-error=86400"],
  [-5_000, "public, max-age=0, s-maxage=0, stale-while-revalidate=0, stale-if-error=86400"],
])("no cache shows a response past its change in %d ms, unless the service fails", async (left, header) => {
  const now = Date.UTC(2026, 10, 28);
  vi.useFakeTimers({ toFake: ["Date"], now });
  onTestFinished(() => void vi.useRealTimers());
  expect(await headerOf((response) => setCachePolicy(response, "public", now + left))).toBe(header);
  expect(await headerOf((response) => setCachePolicy(response, "private", now + left))).toBe("private, no-store");
  const setTwice = (response: Response) => {
    setCachePolicy(response, "public");
    setCachePolicy(response, "public", now + left);
  };
  expect(await headerOf(setTwice), "of equal policies, the last one counts").toBe(header);
});

it("the policy of some routes holds for all of their responses", async () => {
  const app = express().use(cachePolicy("page"), (_request, response) => void response.send("shown"));
  const answer = await request(app).get("/").expect(200, "shown");
  expect(answer.headers["cache-control"]).toBe("no-store");
});

it("a logout makes the browser drop its cached pages, and nothing else", async () => {
  const app = express().use((_request, response) => {
    clearBrowserCache(response);
    response.end();
  });
  expect((await request(app).get("/")).headers["clear-site-data"]).toBe('"cache"');
});
