import { afterEach, describe, expect, it, vi } from "vitest";
import {
  checkPreview,
  fetchAbTests,
  fetchChanges,
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
    expect(await checkPreview()).toMatchObject({ status: "SUCCESS", state: { isLive } });
  });

  it("takes the visitor's own clock when the service doesn't tell its time", async () => {
    answer(Response.json({ ...checked, dateTime: new Date().toISOString() }));
    expect(await checkPreview()).toMatchObject({ state: { isLive: true } });
  });

  it("tells what is chosen", async () => {
    answer(Response.json({ ...checked, ...chosen }));
    const check = await checkPreview();
    expect(check).toMatchObject({ state: { test: "footer-promotion", group: "B", isLive: false } });
    expect(check.status === "SUCCESS" && check.state.dateTime.equals(at)).toBe(true);
  });

  it.each(["UNAUTHORIZED", "BAD_REQUEST", "INTERNAL_ERROR"])(
    "passes on %s and the service's message",
    async (status) => {
      answer(Response.json({ status, message: "Closed today." }, { status: 500 }));
      expect(await checkPreview()).toEqual({ status, message: "Closed today." });
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
    expect(await checkPreview()).toEqual({ status: "INTERNAL_ERROR", message: "" });
  });
});

describe("the changes around a moment", () => {
  it("are those of a site", async () => {
    const change = { dateTime: noon, changes: [{ name: "Gifts", change: "starts" }] };
    const fetched = answer(Response.json({ status: "SUCCESS", previous: null, next: change }));
    const { previous, next } = await fetchChanges("CH_FR", at);
    expect(fetched.mock.calls[0]?.[0]).toBe("/service/preview/api/changes?site=CH_FR&after=2026-11-01T12%3A00%3A00Z");
    expect(previous).toBeUndefined();
    expect([String(next?.dateTime), next?.changes]).toEqual(["2026-11-01T12:00:00Z", change.changes]);
  });

  it.each([{}, { next: "soon" }, { next: { dateTime: "soon" } }])(
    "are none when the answer is useless: %j",
    async (body) => {
      answer(Response.json({ status: "SUCCESS", ...body }));
      expect(await fetchChanges("DE", at)).toEqual({ previous: undefined, next: undefined });
    },
  );
});

describe("the link to share", () => {
  it("leads to a page, for some time", async () => {
    const fetched = answer(Response.json({ status: "SUCCESS", url: "https://shop.example/x", expiresAt: noon }));
    const link = await shareLink("/login?a=b");
    expect([link?.url, String(link?.expiresAt)]).toEqual(["https://shop.example/x", "2026-11-01T12:00:00Z"]);
    expect(fetched.mock.calls[0]?.[1]?.body).toBe(JSON.stringify({ path: "/login?a=b" }));
  });

  it.each([
    { status: "UNAUTHORIZED" },
    { status: "SUCCESS", url: "https://shop.example/x" },
    { status: "SUCCESS", expiresAt: noon },
  ])("is none when the answer is useless: %j", async (body) => {
    answer(Response.json(body));
    expect(await shareLink("/")).toBeUndefined();
  });
});

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
