import { createHmac } from "node:crypto";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { hour, minute, second } from "../../../../client/rules/time.ts";
import { createWebhook, signedHeaders } from "../../../../server/shop/webhook/webhook.ts";
import { hang, startStub, status } from "../../../support/start-stub.ts";

const at = Date.UTC(2026, 10, 22, 18);
const message = { id: "c0ffee", body: '{"version":1}' };
const [fresh, old] = [Buffer.alloc(32, 1), Buffer.alloc(24, 2)];
const send = (url: string, timeout = minute) =>
  createWebhook({ url, secrets: [fresh, old], clock: () => at, timeout }).send(message);

describe("a message of the webhook", () => {
  it("has the signature of the convention's own example", () => {
    const secret = Buffer.from("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "base64");
    const example = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", body: '{"test": 2432232314}' };
    expect(signedHeaders(example, [secret], 1_614_265_330 * second)).toEqual({
      "webhook-id": example.id,
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    });
  });

  it("is sent as it is signed, with each secret while one is replaced", async () => {
    const got: unknown[] = [];
    const stub = await startStub(async (request, response) => {
      got.push({
        method: request.method,
        url: request.url,
        type: request.headers["content-type"],
        body: await text(request),
      });
      response.writeHead(204).end();
    });
    await send(`${stub.origin}/events?shop=1`);
    expect(got).toEqual([{ method: "POST", url: "/events?shop=1", type: "application/json", body: message.body }]);
    const signed = `${message.id}.${at / second}.${message.body}`;
    const signatures = [fresh, old].map(
      (secret) => `v1,${createHmac("sha256", secret).update(signed).digest("base64")}`,
    );
    expect(stub.requests[0]?.headers).toMatchObject({
      "webhook-id": message.id,
      "webhook-timestamp": String(at / second),
      "webhook-signature": signatures.join(" "),
    });
  });

  it.each([301, 400, 401, 404, 429, 500, 503])("isn't taken with a status of %i", async (code) => {
    const { origin } = await startStub(status(code));
    await expect(send(origin)).rejects.toMatchObject({ message: `status ${code}`, isGone: false });
  });

  it("isn't wanted any more with a status of 410", async () => {
    const { origin } = await startStub(status(410));
    await expect(send(origin)).rejects.toMatchObject({ message: "status 410", isGone: true });
  });

  it("isn't taken by a receiver that is silent for too long, or away", async () => {
    const stub = await startStub(hang);
    await expect(send(stub.origin, 20)).rejects.toThrow("no answer within 20 ms");
    await stub.close();
    await expect(send(stub.origin, hour)).rejects.toThrow("no answer (ECONNREFUSED)");
  });
});
