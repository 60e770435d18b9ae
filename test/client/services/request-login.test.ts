import { afterEach, describe, expect, it, vi } from "vitest";
import { requestLogin } from "../../../client/services/request-login.ts";
import { answer } from "./answer.ts";

afterEach(() => void vi.unstubAllGlobals());

describe("a sign-in", () => {
  it.each([
    ["SUCCESS", "the service says so", Response.json({})],
    ["UNAUTHORIZED", "the password is wrong", new Response("<!doctype html>", { status: 401 })],
    [
      "SERVICE_UNAVAILABLE",
      "a page comes",
      new Response("<!doctype html>", { headers: { "Content-Type": "text/html" } }),
    ],
    ["SERVICE_UNAVAILABLE", "the service fails", Response.json({}, { status: 503 })],
  ])("is told as %s where %s", async (status, _when, response) => {
    answer(response);
    expect(await requestLogin({ email: "ada@shop.example", password: "x" })).toEqual({ status });
  });
});
