import request from "supertest";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { day, minute, second } from "../../../../../client/rules/time.ts";
import { subscriberPaths } from "../../../../../server/features/newsletter/service.ts";
import { readKeys, sign } from "../../../../../server/upstream/signatures.ts";
import { newAddress } from "../../../../support/new-address.ts";
import {
  callerOf,
  mailsTo,
  openNewsletter,
  recordsOf,
  signUp,
  signUpOf,
  subscriptionOf,
  tablesWith,
} from "../../../../support/newsletter-test.ts";
import { startStub, status } from "../../../../support/start-stub.ts";
import { createTestApp } from "../../../../support/test-app.ts";

const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString("base64")}`;
const [secret, earlier, foreign] = [secretOf(1), secretOf(2), secretOf(3)];
const newsletterReports = { secret: `${secret},${earlier}`, secretFile: undefined };
const { app, deps, logs } = await createTestApp({
  newsletterReports,
  newsletterWebhook: { url: "http://127.0.0.1:1", secret, secretFile: undefined },
  originalAddressFrom: ["127.0.0.0/8", "::1"],
});
const { db } = deps.store;
const path = "/service/newsletter/api/internal/newsletter-events";

let [messages, people] = [0, 0];
let email = "";
beforeEach(() => {
  email = `Person.${++people}@shop.example`;
});

/** Returns a report about the test's subscriber. */
const reportOf = (type: "bounced" | "complained", data: object = {}) => ({
  type: `subscription.${type}`,
  timestamp: new Date().toISOString(),
  data: { email, ...data },
});

interface Envelope {
  id?: string;
  by?: string;
  at?: number;
  to?: typeof app;
}

/** Sends a report, by default with the right signature. */
function send(
  report: unknown,
  { id = `message-${++messages}`, by = secret, at = Date.now(), to = app }: Envelope = {},
) {
  const body = typeof report === "string" ? report : JSON.stringify(report);
  const timestamp = String(Math.floor(at / second));
  const signature = sign(readKeys({ secret: by, secretFile: undefined }), { id, timestamp, body });
  return request(to)
    .post(path)
    .set({ "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature })
    .type("json")
    .send(body);
}

const bench = await openNewsletter(db, { hasReceiver: true });

/** Subscribes the test's subscriber. */
async function subscribe(...sites: string[]) {
  for (const site of sites) {
    await bench.newsletter.confirm(await signUp(bench, email, site), callerOf(site));
    bench.pass(15 * minute);
  }
}
const stateOn = async (site: string) => (await subscriptionOf(db, email, site))?.state;
const lastRecordOn = async (site: string) => (await recordsOf(db, email, site)).at(-1);
const endReasons = async () =>
  (await db.selectFrom("newsletterEvent").select("data").where("type", "=", "unsubscribed").execute())
    .map(({ data }) => JSON.parse(data))
    .filter((data) => data.email === email)
    .map(({ site, reason }) => `${site} ${reason}`)
    .toSorted();
/** Whether a sign-up of the subscriber leads to an email. */
async function getsMail() {
  const before = (await mailsTo(db, email)).length;
  const headers = { "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-origin", "X-Site": "CZ" };
  await request(app)
    .post(subscriberPaths[0] ?? "")
    .set(headers)
    .set("X-Original-Address", newAddress())
    .send(signUpOf(email))
    .expect(202);
  return (await mailsTo(db, email)).length > before;
}
const counted = async () =>
  Object.fromEntries((await deps.metrics.reports.get()).values.map(({ labels, value }) => [labels.kind, value]));

describe("a report of the newsletter's sender", () => {
  it("of a hard bounce ends every newsletter of the address in any capitals, and suppresses it for a week", async () => {
    await subscribe("DE", "TR");
    await send(reportOf("bounced", { kind: "hard", email: email.toUpperCase() })).expect(204, "");
    expect(await Promise.all(["DE", "TR"].map(stateOn))).toEqual(["withdrawn", "withdrawn"]);
    expect(await lastRecordOn("TR")).toMatchObject({ event: "stopped", networkHash: null, exportDueAt: null });
    expect(await endReasons()).toEqual(["DE bounced", "TR bounced"]);
    expect(await getsMail()).toBe(false);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 7 * day });
    try {
      expect(await getsMail()).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  it("of a complaint about one site ends that newsletter as a withdrawal, and suppresses the mailbox", async () => {
    await subscribe("DE", "TR");
    await send(reportOf("complained", { site: "TR" })).expect(204);
    expect(await Promise.all(["DE", "TR"].map(stateOn))).toEqual(["confirmed", "withdrawn"]);
    expect(await lastRecordOn("TR")).toMatchObject({ event: "withdrawn", exportDueAt: expect.any(Number) });
    expect(await endReasons()).toEqual(["TR complained"]);
    expect(await getsMail()).toBe(false);
  });

  it("of a soft bounce changes nothing", async () => {
    await subscribe("DE");
    await send(reportOf("bounced", { kind: "soft" })).expect(204);
    expect(await stateOn("DE")).toBe("confirmed");
    expect(await getsMail()).toBe(true);
  });

  it("is counted by its kind, and leaves the address neither in the log nor with its id", async () => {
    const before = await counted();
    const reports = { hard: reportOf("bounced", { kind: "hard" }), complaint: reportOf("complained") };
    const ofPerson = email.replaceAll(".", "-");
    for (const [id, report] of Object.entries(reports)) await send(report, { id: `${id} ${ofPerson}` }).expect(204);
    const after = await counted();
    for (const kind of Object.keys(reports)) expect(after[kind], kind).toBe((before[kind] ?? 0) + 1);
    expect(logs.at(-1)).toMatchObject({ msg: "request", route: path, status: 204 });
    expect(JSON.stringify(logs)).not.toContain(email);
    expect(JSON.stringify(logs)).not.toContain(ofPerson);
    expect(await tablesWith(db, ofPerson)).toEqual([]);
    // Its mailbox is locked in this table, and removed by housekeeping.
    expect(await tablesWith(db, email)).toEqual(["mailbox"]);
  });

  it("has no effect when it comes again, at the same time or after the address was allowed again", async () => {
    await subscribe("DE");
    const report = reportOf("complained");
    const before = await counted();
    const answers = await Promise.all([1, 2, 3].map(() => send(report, { id: "again" })));
    expect(answers.map((answer) => answer.status)).toEqual([204, 204, 204]);
    expect((await counted()).complaint).toBe((before.complaint ?? 0) + 1);
    expect(await endReasons()).toEqual(["DE complained"]);
    await db.deleteFrom("suppressedMailbox").execute();
    await send(report, { id: "again" }).expect(204);
    expect(await getsMail()).toBe(true);
  });

  it("is signed by any of the secrets, at a time up to five minutes off", async () => {
    const soft = reportOf("bounced", { kind: "soft" });
    await send(soft, { by: earlier }).expect(204);
    await send(soft, { by: `${foreign},${secret}` }).expect(204);
    for (const off of [-299, 299]) await send(soft, { at: Date.now() + off * second }).expect(204);
    for (const off of [-302, 302]) await send(soft, { at: Date.now() + off * second }).expect(401);
  });

  it.each<[string, (report: object) => request.Test]>([
    ["another secret", (report) => send(report, { by: foreign })],
    ["another id", (report) => send(report).set("webhook-id", "other")],
    ["another time", (report) => send(report).set("webhook-timestamp", String(Math.floor(Date.now() / second) + 60))],
    ["no time", (report) => send(report, { at: Number.NaN })],
    ["no id", (report) => send(report, { id: "" })],
    ["no signature", (report) => send(report).set("webhook-signature", "")],
    ["another version", (report) => send(report).set("webhook-signature", "v2,AAAA")],
    ["nothing", () => request(app).post(path)],
  ])("is refused when it is signed with %s", async (_what, sent) => {
    await subscribe("DE");
    const { status, body } = await sent(reportOf("complained"));
    expect([status, body.type]).toEqual([401, "UNAUTHORIZED"]);
    expect(await stateOn("DE")).toBe("confirmed");
  });

  it.each<[string | undefined, unknown]>([
    ["type", { type: "subscription.opened" }],
    ["timestamp", { timestamp: "yesterday" }],
    ["data/email", { data: { kind: "hard" } }],
    ["data/email", { data: { email: "ada", kind: "hard" } }],
    ["data/kind", { data: { email: "ada@shop.example" } }],
    ["data/site", { data: { email: "ada@shop.example", kind: "hard", site: "XX" } }],
    ["data/Site", { data: { email: "ada@shop.example", kind: "hard", Site: "DE" } }],
    [undefined, "{"],
  ])("with a wrong body is refused, and the error names the field: %s", async (field, changes) => {
    const report = reportOf("bounced", { kind: "hard" });
    const sent = typeof changes === "object" ? { ...report, ...changes } : changes;
    const { status, body } = await send(sent);
    expect([status, body.type]).toEqual([400, "INVALID_REQUEST"]);
    if (field) expect(body.errors).toEqual([{ field, message: expect.stringMatching(/\S/) }]);
    await send(sent, { by: foreign }).expect(401);
  });

  it("is refused when it is larger than any report is", async () => {
    await send(JSON.stringify({ ...reportOf("complained"), more: "a".repeat(2048) })).expect(413);
  });

  it("is refused with a dot in its id or another form of its time, by which one signature would fit several reports", async () => {
    const body = JSON.stringify(reportOf("complained"));
    const now = Math.floor(Date.now() / second);
    const times = [`0x${now.toString(16)}`, `${now}e0`, `${now}.0`, ` ${now}`.padEnd(13, " 0"), `0${now}`];
    for (const [id, timestamp] of [["a.b", String(now)], ...times.map((time) => [`time-${time}`, time])] as const) {
      const signature = sign(readKeys({ secret, secretFile: undefined }), { id, timestamp, body });
      const headers = { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature };
      await request(app).post(path).set(headers).type("json").send(body).expect(401);
    }
    await send(body).expect(204);
  });

  it("is remembered for a week", async () => {
    const { newsletter, pass } = await openNewsletter();
    const report = { ...reportOf("complained"), type: "subscription.complained" as const };
    expect(await newsletter.report("once", report)).toBe("complaint");
    pass(7 * day - 1);
    await newsletter.cleanUp();
    expect(await newsletter.report("once", report)).toBeUndefined();
    pass(1);
    await newsletter.cleanUp();
    expect(await newsletter.report("once", report)).toBe("complaint");
  });
});

describe("the address for reports", () => {
  it("isn't there without a secret, or with a real newsletter service, which doesn't get them", async () => {
    const { app: without } = await createTestApp();
    await send(reportOf("complained"), { to: without }).expect(404);
    const { url, requests } = await startStub(status(204));
    const { app: withReal } = await createTestApp({ newsletterReports, upstreams: { newsletter: url } });
    await send(reportOf("complained"), { to: withReal }).expect(404);
    expect(requests).toEqual([]);
  });
});
