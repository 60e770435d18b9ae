import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { subscribeNewsletter } from "../../../../client/features/newsletter/newsletter-service.ts";
import { answer } from "../../services/answer.ts";

const signUp: Parameters<typeof subscribeNewsletter>[0] = {
  email: "ada@shop.example",
  salutation: undefined,
  firstName: "",
  lastName: "",
  consents: [],
  origin: "NEWSLETTER" as const,
  originAddition: "",
};
const json = { headers: { "Content-Type": "application/json" } };

beforeEach(() => void vi.stubGlobal("document", { documentElement: { dataset: {} } }));
afterEach(() => void vi.unstubAllGlobals());

describe("a sign-up", () => {
  it.each([
    ["SUCCESS", "is taken", Response.json({ status: "ACCEPTED" }, { status: 202 })],
    ["ERROR_INVALID_EMAIL", "has a wrong address", Response.json({ type: "INVALID_EMAIL" }, { status: 400 })],
    ["ERROR_GENERIC", "can't be taken", Response.json({ type: "UNAVAILABLE" }, { status: 503 })],
    ["ERROR_GENERIC", "is answered with broken JSON", new Response("{", { ...json, status: 202 })],
    ["SUCCESS", "is answered with another word", Response.json({ status: "QUEUED" }, { status: 201 })],
    ["SUCCESS", "is answered with nothing", new Response(null, { status: 204 })],
  ])("is told as %s where it %s", async (outcome, _how, response) => {
    answer(response);
    expect(await subscribeNewsletter(signUp, "DE")).toBe(outcome);
  });

  it("calls the private path in a single-page app", async () => {
    vi.stubGlobal("document", { documentElement: { dataset: { singlePageApp: "true" } } });
    const fetched = answer(Response.json({ status: "ACCEPTED" }, { status: 202 }));
    await subscribeNewsletter(signUp, "DE");
    expect(fetched.mock.calls[0]?.[0]).toBe("/service/newsletter/api/private/newsletter-subscribers");
  });
});
