import express, { type Response } from "express";
import request from "supertest";
import { expect, it, onTestFinished, vi } from "vitest";
import {
  type Audience,
  publicUntil,
  setAudience,
  setNextChange,
  unlessSaid,
  whoMayStore,
} from "../../../server/http/who-may-store.ts";

const usual = "public, max-age=60, s-maxage=300, stale-while-revalidate=600, stale-if-error=86400";

async function headerOf(say: (response: Response) => void): Promise<string | undefined> {
  const app = express().use(whoMayStore(), (_request, response) => {
    say(response);
    response.end();
  });
  return (await request(app).get("/")).headers["cache-control"];
}

const cases: [Audience[], string | undefined][] = [
  [[], undefined],
  [["public"], usual],
  [["publicBriefly"], "public, max-age=5"],
  [["page"], "no-store"],
  [["person"], "private, no-store"],
  [["public", "publicBriefly"], "public, max-age=5"],
  [["page", "public"], "no-store"],
  [["public", "person"], "private, no-store"],
  [["person", "page", "public"], "private, no-store"],
];

it.each(cases)(
  "an answer for the audiences %j may be stored as the narrowest of them: %s",
  async (audiences, header) => {
    expect(await headerOf((response) => audiences.forEach((audience) => void setAudience(response, audience)))).toBe(
      header,
    );
  },
);

it.each([
  [Infinity, usual],
  [900_000, usual],
  [899_999, "public, max-age=60, s-maxage=300, stale-while-revalidate=599, stale-if-error=86400"],
  [299_999, "public, max-age=60, s-maxage=299, stale-while-revalidate=0, stale-if-error=86400"],
  [1_500, "public, max-age=1, s-maxage=1, stale-while-revalidate=0, stale-if-error=86400"],
  [999, "public, max-age=0, s-maxage=0, stale-while-revalidate=0, stale-if-error=86400"],
  [-5_000, "public, max-age=0, s-maxage=0, stale-while-revalidate=0, stale-if-error=86400"],
])("an answer that changes in %d ms is shown no longer, but where the service fails: %s", async (left, header) => {
  vi.useFakeTimers({ toFake: ["Date"], now: 0 });
  onTestFinished(() => void vi.useRealTimers());
  expect(publicUntil(left)).toBe(header);
  const say = (audience: Audience) => (response: Response) => {
    setAudience(response, audience);
    setNextChange(response, left);
  };
  expect(await headerOf(say("public"))).toBe(header);
  expect(await headerOf(say("person"))).toBe("private, no-store");
});

it("an answer of which nobody says who may store it keeps its own header", async () => {
  expect(await headerOf((response) => response.set("Cache-Control", "max-age=1"))).toBe("max-age=1");
});

it.each([
  [undefined, "no-store"],
  ["max-age=1", "max-age=1"],
])(
  "an answer that says %j of itself may be stored as is said of it, else as it is usual behind its route",
  async (own, header) => {
    const app = express().use(whoMayStore(), unlessSaid("page"), (_request, response) => {
      if (own) response.set("Cache-Control", own);
      response.end();
    });
    expect((await request(app).get("/")).headers["cache-control"]).toBe(header);
  },
);
