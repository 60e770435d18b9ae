import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { readWebhookSecrets } from "../../../../server/shop/webhook/read-webhook-secrets.ts";

const folder = await mkdtemp(join(tmpdir(), "secrets-"));
afterAll(() => rm(folder, { recursive: true }));

const [fresh, old] = [Buffer.alloc(32, 250), Buffer.alloc(24, 2)];
const list = `whsec_${fresh.toString("base64")}, whsec_${old.toString("base64url")}`;

it("secrets come from the variable, or from a file", async () => {
  const secretFile = join(folder, "secrets");
  await writeFile(secretFile, `${list}\n`);
  expect(readWebhookSecrets({ secret: list, secretFile: undefined })).toEqual([fresh, old]);
  expect(readWebhookSecrets({ secret: undefined, secretFile })).toEqual([fresh, old]);
});

it("a file without a secret stops the start by the name of its variable, and isn't told", async () => {
  const secretFile = join(folder, "short");
  await writeFile(secretFile, "whsec_short");
  const read = (file: string) => readWebhookSecrets({ secret: undefined, secretFile: file });
  expect(() => read(secretFile)).toThrow(
    /^environment: NEWSLETTER_WEBHOOK_SECRET_FILE must be whsec_ and 24 to 64 bytes in Base64(?!.*short)/,
  );
  expect(() => read(join(folder, "none"))).toThrow(/^environment: NEWSLETTER_WEBHOOK_SECRET_FILE can't be read/);
});
