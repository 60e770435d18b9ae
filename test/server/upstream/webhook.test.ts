import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { second } from "../../../client/rules/time.ts";
import { createWebhook } from "../../../server/upstream/webhook.ts";
import { startStub, status } from "../../support/start-stub.ts";

/** The example of the specification. */
const example = {
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
  at: 1_614_265_330 * second,
  body: '{"test": 2432232314}',
  signature: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
};
const other = Buffer.alloc(32, 250).toString("base64url");

/** Sends the example, and returns the headers that arrive. */
async function headersBy(secret?: string, secretFile?: string) {
  const stub = await startStub(status(204));
  const webhook = createWebhook(
    { url: stub.origin, secret, secretFile },
    { deadline: second, clock: () => example.at },
  );
  onTestFinished(() => webhook.close());
  expect(await webhook.send(example.id, example.body)).toBeUndefined();
  return stub.requests[0]?.headers;
}

async function fileOf(content: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "secrets-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "secrets"), content);
  return join(folder, "secrets");
}

it("signs a message as the specification does", async () => {
  expect(await headersBy(example.secret)).toMatchObject({
    "content-type": "application/json",
    "webhook-id": example.id,
    "webhook-timestamp": "1614265330",
    "webhook-signature": example.signature,
  });
});

it("signs with every secret of the variable or the file", async () => {
  const list = `${example.secret}, whsec_${other}`;
  const { "webhook-signature": signatures } = (await headersBy(list)) ?? {};
  expect(String(signatures).split(" ")).toEqual([example.signature, expect.stringMatching(/^v1,[\w+/]{43}=$/)]);
  expect((await headersBy(undefined, await fileOf(`${list}\n`)))?.["webhook-signature"]).toBe(signatures);
});
