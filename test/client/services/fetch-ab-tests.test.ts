import { afterEach, describe, expect, it, vi } from "vitest";
import { fetchAbTests } from "../../../client/services/fetch-ab-tests.ts";
import { answer } from "./answer.ts";

const at = Temporal.Instant.from("2026-11-01T12:00:00.000Z");

afterEach(() => void vi.unstubAllGlobals());

describe("the list of tests", () => {
  it("is asked for at a moment", async () => {
    const fetched = answer(Response.json([{ name: "a", groups: [{ name: "1" }, { name: "2" }] }]));
    expect(await fetchAbTests(at)).toEqual([{ name: "a", groups: ["1", "2"] }]);
    expect(fetched.mock.calls[0]?.[0]).toBe("/service/abtestfrontend/api/v1/gettestsat?time=2026-11-01T12%3A00%3A00Z");
  });

  it.each([
    ["a failure", Response.json([], { status: 500 })],
    ["no list", Response.json({ tests: [] })],
    ["tests without groups", Response.json([{ name: "a" }])],
    ["an empty test", Response.json([null])],
    ["no JSON", new Response("[")],
  ])("is unknown when the answer is useless: %s", async (_case, useless) => {
    answer(useless);
    expect(await fetchAbTests(at)).toBeUndefined();
  });
});
