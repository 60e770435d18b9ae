import { afterEach, describe, expect, it, vi } from "vitest";
import {
  fetchAbTests,
  fetchChanges,
  fetchPreview,
  shareLink,
} from "../../../../client/features/preview/preview-service.ts";
import { answer } from "../../services/answer.ts";

const noon = "2026-11-01T12:00:00.000Z";
const at = Temporal.Instant.from(noon);
const checked = { status: "SUCCESS", dateTime: noon, abTestName: "", abTestGroup: "" };
const chosen = { abTestName: "footer-promotion", abTestGroup: "B" };

afterEach(() => void vi.unstubAllGlobals());

describe("the check", () => {
  it.each([
    ["the service's own time", checked, noon, true],
    ["less than a minute later", checked, "2026-11-01T12:00:59Z", true],
    ["a minute earlier", checked, "2026-11-01T11:59:00Z", false],
    ["the service's own time for a group", { ...checked, ...chosen }, noon, false],
  ])("tells the present from a preview: %s", async (_case, body, date, isLive) => {
    answer(Response.json(body, { headers: { Date: new Date(date).toUTCString() } }));
    expect(await fetchPreview()).toMatchObject({ status: "SUCCESS", state: { isLive } });
  });

  it.each(["UNAUTHORIZED", "BAD_REQUEST", "INTERNAL_ERROR"])(
    "passes on %s and the service's message",
    async (status) => {
      answer(Response.json({ status, message: "Closed today." }, { status: 500 }));
      expect(await fetchPreview()).toEqual({ status, message: "Closed today." });
    },
  );

  it.each([
    ["no time", { ...checked, dateTime: undefined }],
    ["a time that is none", { ...checked, dateTime: "yesterday" }],
    ["a status nobody knows", { ...checked, status: "OK" }],
    ["no object", null],
    ["a message that is no text", { status: "INTERNAL_ERROR", message: { text: "Closed" } }],
  ])("takes for an internal error what it can't use: %s", async (_case, body) => {
    answer(Response.json(body));
    expect(await fetchPreview()).toEqual({ status: "INTERNAL_ERROR", message: "" });
  });
});

describe("a useless answer", () => {
  it("means no changes, and no link to share", async () => {
    answer(Response.json({ status: "SUCCESS", previous: null, next: { dateTime: "soon" } }));
    expect(await fetchChanges("DE", at)).toEqual({ previous: undefined, next: undefined });
    answer(Response.json({ status: "SUCCESS", url: "https://shop.example/x" }));
    expect(await shareLink("/")).toBeUndefined();
  });

  it.each([
    ["a failure", Response.json([], { status: 500 })],
    ["no list", Response.json({ tests: [] })],
    ["tests without groups", Response.json([{ name: "a" }])],
    ["no JSON", new Response("[")],
  ])("leaves the A/B tests unknown: %s", async (_case, useless) => {
    answer(useless);
    expect(await fetchAbTests(at)).toBeUndefined();
  });
});
