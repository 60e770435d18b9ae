import { describe, expect, it } from "vitest";
import { createPreviewUpstream } from "../../../../server/features/preview/upstream.ts";
import { passTime } from "../../../support/pass-time.ts";
import { flood, hang, json, type Stub, startStub, status } from "../../../support/start-stub.ts";

const cookies = { StaffAuthToken: "a.b.c", CobraAuthToken: "d.e.f", PreviewContext: "g.h.i" };
const dateTime = "2026-12-24T18:00:00.000Z";
const at = Date.parse(dateTime);
const answer = { status: "SUCCESS", dateTime, abTestName: "colours", abTestGroup: "B" };
const chosen = (change: object = {}) => json(JSON.stringify({ ...answer, ...change }));
/** Returns the function that finds the preview of a browser with certain cookies. */
const finderOf = (stub: Stub) => {
  const find = createPreviewUpstream(stub);
  return (jar: object) => find({ cookies: jar });
};
const others = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ ...cookies, StaffAuthToken: `s${index}` }));

describe("the real preview service", () => {
  it("is asked with the cookies of the preview alone, once for the same within a while", async () => {
    const stub = await startStub(chosen());
    const find = finderOf(stub);
    const expected = { at, selection: { test: "colours", group: "B" } };
    expect(await Promise.all([find(cookies), find({ ...cookies })])).toEqual([expected, expected]);
    expect(await find(cookies)).toEqual(expected);
    expect(stub.requests).toHaveLength(1);
    const [request] = stub.requests;
    expect([request?.method, request?.url]).toEqual(["GET", "/service/preview/api/auth/checkauth"]);
    expect(request?.headers.cookie).toBe("StaffAuthToken=a.b.c; CobraAuthToken=d.e.f; PreviewContext=g.h.i");
    await find({ ...cookies, PreviewContext: "j.k.l" });
    expect(stub.requests).toHaveLength(2);
  });

  it.each(Object.keys(cookies))("isn't asked without %s", async (missing) => {
    const stub = await startStub(chosen());
    expect(await finderOf(stub)({ ...cookies, [missing]: "" })).toBeUndefined();
    expect(stub.requests).toHaveLength(0);
  });

  it.each([
    { change: { abTestName: "", abTestGroup: "" }, preview: { at } },
    { change: { abTestGroup: undefined }, preview: { at } },
    { change: { abTestName: undefined }, preview: { at } },
    {
      change: { dateTime: "2026-12-24T19:00:00+01:00", user: "ada" },
      preview: { at, selection: { test: "colours", group: "B" } },
    },
    { change: { status: "UNAUTHORIZED" }, preview: undefined },
    { change: { dateTime: undefined }, preview: undefined },
  ])("answers with what is previewed: $change", async ({ change, preview }) => {
    const stub = await startStub(chosen(change));
    expect(await finderOf(stub)(cookies)).toEqual(preview);
  });

  it.each([400, 401, 403, 404])("previews nothing when it answers %d, for five seconds", async (code) => {
    const stub = await startStub(status(code));
    const find = finderOf(stub);
    expect(await find(cookies)).toBeUndefined();
    stub.answer = chosen();
    passTime(5_001);
    expect(await find(cookies)).toMatchObject({ at });
  });

  it.each([
    ["silence", hang, "no answer within 1000 ms"],
    ["a huge body", flood, "answer larger than 16384 bytes"],
    ["no status", json("{}"), "answer: /status is missing"],
    [
      "a day for a time",
      chosen({ dateTime: "24.12.2026" }),
      "answer: /dateTime must be an ISO 8601 time with an offset, such as 2026-12-24T18:00:00Z",
    ],
  ])("answering %s is a fault named without a word of the answer", async (_what, listener, fault) => {
    const stub = await startStub(listener);
    await expect(finderOf(stub)(cookies)).rejects.toMatchObject({
      name: "UpstreamError",
      message: `upstream preview: ${fault}`,
    });
  });

  it("gets eight calls at a time at most, whatever cookies are made up", async () => {
    const stub = await startStub(hang);
    const find = finderOf(stub);
    const outcomes = await Promise.allSettled(others(50).map(find));
    expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(50);
    expect(stub.requests).toHaveLength(8);
  });

  it("isn't asked while it counts as down, which refused cookies don't cause", async () => {
    const down = await startStub(status(500));
    const find = finderOf(down);
    for (const made of others(10)) await expect(find(made)).rejects.toThrow("upstream preview");
    expect(down.requests).toHaveLength(5);

    const strict = await startStub(status(401));
    const refused = finderOf(strict);
    for (const made of others(10)) expect(await refused(made)).toBeUndefined();
    strict.answer = chosen();
    expect(await refused(cookies)).toMatchObject({ at });
  });
});
