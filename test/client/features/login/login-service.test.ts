import { afterEach, describe, expect, it, vi } from "vitest";
import { fetchKnownEmail, requestLogin } from "../../../../client/features/login/login-service.ts";
import { csrfHeader } from "../../../../client/services/call-service.ts";
import { answer } from "../../services/answer.ts";

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
    ["SERVICE_UNAVAILABLE", "the call is refused", Response.json({}, { status: 403 })],
    ["SERVICE_UNAVAILABLE", "the answer isn't the service's", new Response(null, { status: 204 })],
  ])("is told as %s where %s", async (status, _when, response) => {
    answer(response);
    expect(await requestLogin({ email: "ada@shop.example", password: "x" })).toEqual({ status });
  });
});

it("the known address is fetched freshly, with the header that proves where the call comes from", async () => {
  const fetched = answer(Response.json({ email: "ada@shop.example" }));
  expect(await fetchKnownEmail()).toBe("ada@shop.example");
  expect(fetched.mock.calls[0]?.[1]).toMatchObject({ cache: "no-store", headers: csrfHeader });
});
