import express, { type Response } from "express";
import request from "supertest";
import { expect, it } from "vitest";
import { type Audience, setAudience, unlessSaid, whoMayStore } from "../../../server/http/who-may-store.ts";

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
