import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, it } from "vitest";
import { hour, minute, second } from "../../../../../client/rules/time.ts";
import {
  createWebhook,
  readWebhookSecrets,
  signMessage,
} from "../../../../../server/features/newsletter/webhook/webhook.ts";
import { hang, startStub, status } from "../../../../support/start-stub.ts";

const at = Date.UTC(2026, 10, 22, 18);
const message = { id: "c0ffee", body: '{"version":1}' };
const [fresh, old] = [Buffer.alloc(32, 250), Buffer.alloc(24, 2)];
const send = (url: string, timeout = minute) =>
  createWebhook({ url, secrets: [fresh, old], clock: () => at, timeout }).send(message);

describe("a message of the webhook", () => {
  it("has the signature of the example in the specification", () => {
    const secret = Buffer.from("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "base64");
    const example = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", body: '{"test": 2432232314}' };
    expect(signMessage(example, [secret], 1_614_265_330 * second)).toEqual({
      "webhook-id": example.id,
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    });
  });

  it("is sent with a signature of each secret", async () => {
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
    const signatures = [fresh, old].map((secret) => signMessage(message, [secret], at)["webhook-signature"]);
    expect(stub.requests[0]?.headers).toMatchObject({
      ...signMessage(message, [fresh], at),
      "webhook-signature": signatures.join(" "),
    });
  });

  it.each([301, 400, 401, 404, 429, 500, 503])("isn't accepted with status %i", async (code) => {
    const { origin } = await startStub(status(code));
    await expect(send(origin)).rejects.toMatchObject({ message: `status ${code}`, isGone: false });
  });

  it("is no longer wanted with status 410", async () => {
    const { origin } = await startStub(status(410));
    await expect(send(origin)).rejects.toMatchObject({ message: "status 410", isGone: true });
  });

  it("isn't accepted by a receiver that doesn't answer or can't be reached", async () => {
    const stub = await startStub(hang);
    await expect(send(stub.origin, 20)).rejects.toThrow("no answer within 20 ms");
    await stub.close();
    await expect(send(stub.origin, hour)).rejects.toThrow("no answer (ECONNREFUSED)");
  });
});

const folder = await mkdtemp(join(tmpdir(), "secrets-"));
afterAll(() => rm(folder, { recursive: true }));

const list = `whsec_${fresh.toString("base64")}, whsec_${old.toString("base64url")}`;

it("signing secrets come from the variable, or from a file", async () => {
  const secretFile = join(folder, "secrets");
  await writeFile(secretFile, `${list}\n`);
  expect(readWebhookSecrets({ secret: list, secretFile: undefined })).toEqual([fresh, old]);
  expect(readWebhookSecrets({ secret: undefined, secretFile })).toEqual([fresh, old]);
});

it("a file without a secret fails the start with the variable's name, without the content", async () => {
  const secretFile = join(folder, "short");
  await writeFile(secretFile, "whsec_short");
  const read = (file: string) => readWebhookSecrets({ secret: undefined, secretFile: file });
  expect(() => read(secretFile)).toThrow(
    /^environment: NEWSLETTER_WEBHOOK_SECRET_FILE must be whsec_ and 24 to 64 bytes in Base64(?!.*short)/,
  );
  expect(() => read(join(folder, "none"))).toThrow(/^environment: NEWSLETTER_WEBHOOK_SECRET_FILE can't be read/);
});
