import express, { type RequestHandler } from "express";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { refuseCrossSite, requireCsrf, requireSameOrigin } from "../../../server/http/csrf.ts";
import { errorHandler } from "../../../server/http/error-handler.ts";
import { createTestLog } from "../../support/test-log.ts";

const { logger } = createTestLog();
const host = "de.localhost:3000";
const home = `http://${host}`;

/** Returns why a guard refuses a request; undefined if it lets it pass. */
async function refusalOf(guard: RequestHandler, headers: Record<string, string>): Promise<string | undefined> {
  const app = express().post("/", guard, (_request, response) => void response.sendStatus(204));
  app.use(
    errorHandler(logger, ({ status, title }, _failure, _request, response) => response.status(status).send(title)),
  );
  const { status, text } = await request(app)
    .post("/")
    .set({ Host: host, ...headers });
  expect(status).toBe(text === "" ? 204 : 403);
  return text === "" ? undefined : text;
}

const call = (headers: Record<string, string>) => refusalOf(requireCsrf(), { "X-hunter-csrf": "1", ...headers });
const signIn = (headers: Record<string, string>) => refusalOf(requireSameOrigin(), headers);
const form = (headers: Record<string, string>) => refusalOf(refuseCrossSite(), headers);

describe("what a browser says about the page that sends", () => {
  const [ok, no] = [true, false];

  it.each<[string, Record<string, string>, { call: boolean; signIn: boolean; form: boolean }]>([
    ["nothing", {}, { call: no, signIn: no, form: ok }],
    ["this origin", { "Sec-Fetch-Site": "same-origin" }, { call: ok, signIn: ok, form: ok }],
    ["no page, such as a bookmark", { "Sec-Fetch-Site": "none" }, { call: no, signIn: ok, form: ok }],
    ["another origin of the site", { "Sec-Fetch-Site": "same-site" }, { call: no, signIn: no, form: no }],
    ["another site", { "Sec-Fetch-Site": "cross-site" }, { call: no, signIn: no, form: no }],
    ["this origin, by Origin", { Origin: home }, { call: ok, signIn: ok, form: ok }],
    ["another port", { Origin: "http://de.localhost:8080" }, { call: no, signIn: no, form: no }],
    ["another host", { Origin: "http://at.localhost:3000" }, { call: no, signIn: no, form: no }],
    ["a page that hides its origin", { Origin: "null" }, { call: no, signIn: no, form: no }],
    ["an older browser's own page", { Referer: `${home}/login` }, { call: no, signIn: ok, form: ok }],
    ["an older browser's other page", { Referer: `https://evil.example/${host}` }, { call: no, signIn: no, form: ok }],
    [
      "another site in spite of Origin",
      { "Sec-Fetch-Site": "cross-site", Origin: home },
      { call: no, signIn: no, form: no },
    ],
    [
      "another Origin in spite of Referer",
      { Origin: "null", Referer: `${home}/login` },
      { call: no, signIn: no, form: no },
    ],
  ])("decides about calls, sign-ins and other forms: %s", async (_what, headers, allowed) => {
    const [ofCall, ofSignIn, ofForm] = await Promise.all([call(headers), signIn(headers), form(headers)]);
    expect({ call: !ofCall, signIn: !ofSignIn, form: !ofForm }).toEqual(allowed);
  });
});

it.each(["", " "])("refuses a call without the header that other sites can't send: '%s'", async (token) => {
  const headers = { "Sec-Fetch-Site": "same-origin", "X-hunter-csrf": token };
  expect(await refusalOf(requireCsrf(), headers)).toBe("the header X-hunter-csrf is missing");
});

it("tells developers why", async () => {
  const foreign = { "Sec-Fetch-Site": "cross-site" };
  expect(await call(foreign)).toBe("the call doesn't come from a page of this origin");
  expect(await signIn(foreign)).toBe("there is no evidence that the form comes from a page of this origin");
  expect(await form(foreign)).toBe("the form doesn't come from a page of this origin");
});
