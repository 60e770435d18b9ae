import express from "express";
import request from "supertest";
import { expect, it } from "vitest";
import { day } from "../../../client/rules/time.ts";
import { deprecate } from "../../../server/http/deprecation.ts";
import { passTime } from "../../support/pass-time.ts";
import { createTestLog } from "../../support/test-log.ts";

const document = "https://shop.example/update";
const [since, sunset] = [new Date("2026-12-01T00:00:00Z"), new Date("2027-12-01T00:00:00Z")];

it("a deprecated route says since when and until when, and names each caller once a day", async () => {
  const { logger, lines } = createTestLog();
  const app = express().get("/old", deprecate({ since, sunset, document }, logger), (_, response) => {
    response.send("as before");
  });
  for (const agent of ["curl/8.5.0", "curl/8.5.0", "shop-app/2 (ada@shop.example)", "<script>"]) {
    const answer = await request(app).get("/old").set("User-Agent", agent).expect(200, "as before");
    expect(answer.headers).toMatchObject({
      deprecation: "@1796083200",
      sunset: "Wed, 01 Dec 2027 00:00:00 GMT",
      link: `<${document}>; rel="deprecation"; type="text/html"`,
    });
  }
  expect(lines).toEqual(
    ["curl/8.5.0", "shop-app/2", "unknown"].map((caller) =>
      expect.objectContaining({ level: 40, caller, route: "/old", msg: "deprecated route called" }),
    ),
  );
  passTime(day);
  await request(app).get("/old").set("User-Agent", "curl/8.5.0");
  expect(lines.slice(3)).toMatchObject([{ caller: "curl/8.5.0" }]);
});

it("a route whose end isn't decided has no Sunset", async () => {
  const app = express().get("/old", deprecate({ since, document }, createTestLog().logger), (_, response) => {
    response.send("as before");
  });
  const { headers } = await request(app).get("/old");
  expect(headers).toHaveProperty("deprecation");
  expect(headers).not.toHaveProperty("sunset");
});
