import { json as readJson } from "node:stream/consumers";
import request from "supertest";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { timeout } from "../../../../client/services/call-service.ts";
import { newsletterDeadline } from "../../../../server/features/newsletter/service.ts";
import { createNewsletterUpstream } from "../../../../server/features/newsletter/upstream.ts";
import { answerRightly } from "../../../support/answer-rightly.ts";
import { callerOf, signUpOf } from "../../../support/newsletter-test.ts";
import { breakOff, hang, json, startStub, status } from "../../../support/start-stub.ts";
import { createTestApp } from "../../../support/test-app.ts";

const caller = callerOf("PL", "192.0.2.1");
const token = "t".repeat(32);
const base = "/service/newsletter/api/internal/newsletter-subscribers";

describe("the real newsletter service", () => {
  it("gets a sign-up as a page of its own would send it, with the site and the visitor's address", async () => {
    const received = Promise.withResolvers<unknown>();
    const stub = await startStub(async (incoming, response) => {
      const { method, url, headers } = incoming;
      received.resolve({ method, url, headers, body: await readJson(incoming) });
      response.writeHead(202, { "Content-Type": "application/json" }).end('{"status":"ACCEPTED"}');
    });
    const newsletter = createNewsletterUpstream(stub);
    expect(await newsletter.subscribe(signUpOf("a@shop.example"), caller)).toEqual({ status: "accepted" });
    expect(await received.promise).toMatchObject({
      method: "POST",
      url: base,
      body: signUpOf("a@shop.example"),
      headers: {
        "content-type": "application/json",
        "x-site": "PL",
        "x-original-address": "192.0.2.1",
        "x-hunter-csrf": "1",
        "sec-fetch-site": "same-origin",
        origin: stub.origin,
      },
    });
  });

  it.each([
    [400, '{"type":"INVALID_EMAIL"}', { status: "invalid", faults: [{ field: "email", key: "error.email.invalid" }] }],
    [429, "{}", { status: "rateLimited", retryAfter: 60 }],
  ])("answers a sign-up with %d %s", async (code, body, result) => {
    const stub = await startStub(json(body, code));
    expect(await createNewsletterUpstream(stub).subscribe(signUpOf("a@shop.example"), caller)).toEqual(result);
  });

  it.each([
    [202, '{"status":"ACCEPTED"}'],
    [201, "{}"],
    [204, ""],
  ])("takes a sign-up with %d %s, with script or without", async (code, body) => {
    const stub = await startStub(json(body, code));
    const { app } = await createTestApp({ upstreams: { newsletter: stub.origin } });
    const own = { Host: caller.site.localHost, "Sec-Fetch-Site": "same-origin", "X-hunter-csrf": "1" };
    await request(app).post(base).set(own).send({}).expect(code);
    await request(app).post("/newsletter").set(own).type("form").send({ email: "a@shop.example" }).expect(303);
  });

  it("may take longer than the browser waits, with script or without", async () => {
    const limits = vi.spyOn(AbortSignal, "timeout");
    onTestFinished(() => limits.mockRestore());
    const stub = await startStub(answerRightly);
    const { app } = await createTestApp({ upstreams: { newsletter: stub.origin } });
    await request(app).get(`${base}/${token}`).expect(200);
    await createNewsletterUpstream(stub).read(token, caller);
    expect(limits.mock.calls).toEqual([[newsletterDeadline], [newsletterDeadline]]);
    expect(newsletterDeadline).toBeGreaterThan(timeout);
  });

  it.each([
    ["read", { status: "found", subscription: { status: "SUBSCRIBED", site: caller.site.site, consents: [] } }],
    ["confirm", { status: "subscribed" }],
    ["refuse", { status: "ended" }],
    ["unsubscribe", { status: "ended" }],
  ] as const)("answers the link of a mail: %s", async (ask, result) => {
    expect(await createNewsletterUpstream(await startStub(answerRightly))[ask](token, caller)).toEqual(result);
  });

  it.each(["read", "confirm", "refuse", "unsubscribe"] as const)(
    "knows no token that it refuses, be it unknown or expired: %s",
    async (ask) => {
      for (const code of [404, 410]) {
        const stub = await startStub(json("{}", code));
        expect(await createNewsletterUpstream(stub)[ask](token, caller)).toEqual({ status: "invalidToken" });
      }
    },
  );

  it("knows no token without a subscription, so that the link's page offers the form instead of a new mail", async () => {
    const stub = await startStub(json('{"status":"NONE"}'));
    expect(await createNewsletterUpstream(stub).read(token, caller)).toEqual({ status: "invalidToken" });
    const { app } = await createTestApp({ upstreams: { newsletter: stub.origin } });
    const { text } = await request(app).get(`/newsletter/confirm?token=${token}`).set("Host", caller.site.localHost);
    expect(text).toContain('action="/newsletter"');
    expect(text).not.toContain('action="/newsletter/resend"');
  });

  it("can't send a mail again", async () => {
    const newsletter = createNewsletterUpstream(await startStub(hang));
    expect(await newsletter.resend(token, caller)).toEqual({ status: "invalidToken" });
  });

  it.each([
    ["refuses what keeps to the rules", json('{"type":"INVALID_REQUEST"}', 400)],
    ["fails", status(500)],
    ["breaks off", breakOff],
  ])("that %s isn't available", async (_what, listener) => {
    const stub = await startStub(listener);
    await expect(createNewsletterUpstream(stub).subscribe(signUpOf("a@shop.example"), caller)).rejects.toMatchObject({
      name: "UpstreamError",
    });
  });

  it.each([
    ["post", base.replace("internal", "private")],
    ["post", `${base}/${token}/unsubscribe`],
  ] as const)("answers for itself: %s %s", async (method, path) => {
    const stub = await startStub(answerRightly);
    const { app } = await createTestApp({ upstreams: { newsletter: stub.origin } });
    const own = { "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-origin" };
    expect((await request(app)[method](path).set(own)).ok).toBe(true);
    expect(stub.requests.map(({ url }) => url)).toEqual([path]);
  });
});
