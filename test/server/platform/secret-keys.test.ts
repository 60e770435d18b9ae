import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { createEmbeddedLogin } from "../../../server/features/login/embedded/login-service.ts";
import { addSenderTokens, createSenderTokens } from "../../../server/features/newsletter/embedded/sender-tokens.ts";
import { createSuppression } from "../../../server/features/newsletter/mail/suppression.ts";
import { loadSecretKeys } from "../../../server/platform/secret-keys.ts";
import { inTransaction } from "../../../server/store/open-store.ts";
import type { Jar } from "../../support/cookie-jar.ts";
import { callerWith, email, openLogin, password, signIn } from "../../support/login-test.ts";
import { callerOf, openNewsletter, signUp, subscriptionOf } from "../../support/newsletter-test.ts";
import { createStorePlace, keysOf } from "../../support/test-store.ts";

const [oldSecret, newSecret] = [randomBytes(32), randomBytes(32)];
const [oldKeys, bothKeys, newKeys] = [keysOf(oldSecret), keysOf(newSecret, oldSecret), keysOf(newSecret)];
const encode = (...secrets: Buffer[]) => secrets.map((secret) => secret.toString("base64")).join(",");
const given = (secretKey?: string, secretKeyFile?: string) => ({ secretKey, secretKeyFile, dataDir: "/nowhere" });

/** The same login service before a rotation, during it, and once the old secret is removed. */
async function openRotation() {
  const bench = await openLogin();
  const serviceWith = (keys: typeof oldKeys) => ({
    ...bench,
    login: createEmbeddedLogin({ ...bench, keys }, bench.db),
  });
  return { bench, before: serviceWith(oldKeys), during: serviceWith(bothKeys), after: serviceWith(newKeys) };
}

const isSignedIn = async ({ login }: Awaited<ReturnType<typeof openLogin>>, jar: Jar) =>
  (await login.identify(callerWith(jar))) !== undefined;

describe("derived keys", () => {
  it("differ by purpose and secret, and are equal on every replica", () => {
    const keys = [oldKeys.signing("one"), oldKeys.signing("two"), newKeys.signing("one")];
    expect(new Set(keys.map((key) => key.toString("hex"))).size).toBe(3);
    expect(oldKeys.signing("one")).toHaveLength(32);
    expect(keysOf(oldSecret).signing("one")).toEqual(oldKeys.signing("one"));
    expect(loadSecretKeys(given(oldSecret.toString("base64url"))).signing("one")).toEqual(oldKeys.signing("one"));
    expect(bothKeys.signing("one")).toEqual(newKeys.signing("one"));
    expect(bothKeys.verifying("one")).toEqual([newKeys.signing("one"), oldKeys.signing("one")]);
  });
});

describe("a new secret in front of the old one", () => {
  it("signs new sessions, and keeps old ones valid", async () => {
    const { before, during, after } = await openRotation();
    const old = await signIn(before);
    expect(await isSignedIn(during, old)).toBe(true);
    const fresh = await signIn(during);
    expect([await isSignedIn(after, fresh), await isSignedIn(before, fresh)]).toEqual([true, false]);
  });

  it("keeps trusted devices and suppressed addresses", async () => {
    const { bench, before, during, after } = await openRotation();
    const result = await before.login.login({ email, password }, callerWith());
    const cookies = result.status === "success" ? result.cookies : [];
    const device = /^KnownDevice=([^;]+)/.exec(cookies.find((cookie) => cookie.startsWith("KnownDevice=")) ?? "")?.[1];
    for (let i = 0; i < 9; i++) await bench.login.login({ email, password: "wrong" }, callerWith());
    for (const service of [during, after])
      for (let i = 0; i < 9; i++) await service.login.login({ email, password: "wrong" }, callerWith());
    const statusWith = async ({ login }: typeof before) =>
      (await login.login({ email, password }, callerWith({ KnownDevice: device ?? "" }))).status;
    expect([await statusWith(during), await statusWith(after)]).toEqual(["success", "rateLimited"]);

    const suppressed = async (keys: typeof oldKeys) =>
      (await createSuppression(keys).find(bench.db, [email], Date.now())).has(email);
    await inTransaction(bench.db, (transaction) => createSuppression(oldKeys).suppress(transaction, email, Date.now()));
    expect([await suppressed(bothKeys), await suppressed(newKeys)]).toEqual([true, false]);
    expect(await createSuppression(bothKeys).unsuppress(bench.db, email)).toBe(true);
    expect(await suppressed(oldKeys)).toBe(false);
  });
});

describe("the old secret removed", () => {
  it("ends the sessions that it signed, and lets everybody sign in again", async () => {
    const { before, after } = await openRotation();
    const old = await signIn(before);
    expect(await isSignedIn(after, old)).toBe(false);
    expect(await isSignedIn(after, await signIn(after))).toBe(true);
  });

  it("leaves the newsletter's links as they are", async () => {
    const bench = await openNewsletter();
    const mailed = await signUp(bench, "rotation@shop.example");
    const { id = "" } = (await subscriptionOf(bench.db, "rotation@shop.example")) ?? {};
    const sent = createSenderTokens(oldKeys);
    for (const tokenOf of [sent, createSenderTokens(newKeys)])
      await addSenderTokens(bench.db, [{ token: tokenOf(id), subscriptionId: id }]);
    expect((await bench.newsletter.read(mailed)).status).toBe("found");
    expect(await bench.newsletter.unsubscribe(sent(id), callerOf("DE"))).toEqual({ status: "ended" });
  });
});

describe("the secrets", () => {
  const fileIn = (dataDir: string) => join(dataDir, "secret.key");

  it("are one of 32 bytes in a file beside the data unless they are given, once a key is needed", async () => {
    const { dataDir } = await createStorePlace();
    const keys = loadSecretKeys({ ...given(), dataDir });
    expect(await readdir(dataDir)).toEqual([]);
    const key = keys.signing("one");
    expect(await readdir(dataDir)).toEqual(["secret.key"]);
    expect((await stat(fileIn(dataDir))).mode & 0o777).toBe(0o600);
    expect(loadSecretKeys(given(undefined, fileIn(dataDir))).signing("one")).toEqual(key);
  });

  it("are made by one of several processes that start at once, for all of them", async () => {
    const { dataDir } = await createStorePlace();
    const script = `import { loadSecretKeys } from "./server/platform/secret-keys.ts";
      console.log(loadSecretKeys({ dataDir: ${JSON.stringify(dataDir)} }).signing("one").toString("hex"));`;
    const processes = Array.from({ length: 4 }, () =>
      promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script]),
    );
    const keys = await Promise.all(processes);
    expect(new Set(keys.map(({ stdout }) => stdout)).size).toBe(1);
    expect(keys[0]?.stdout).toMatch(/^[\da-f]{64}\n$/);
  });

  it("are refused where they can't be read or aren't any, without being printed", async () => {
    const { dataDir } = await createStorePlace();
    const file = join(dataDir, "given.key");
    const load = () => loadSecretKeys(given(undefined, file));
    expect(load).toThrow(/^secret key: can't read .*given\.key \(ENOENT/);
    for (const wrong of ["canary", "", `${encode(oldSecret)},canary`]) {
      await writeFile(file, `${wrong}\n`);
      expect(load).toThrow(
        `secret key: ${file} must be secrets of 32 bytes in Base64, comma-separated where there are several`,
      );
    }
    await writeFile(file, `${encode(newSecret, oldSecret)}\n`);
    expect(load().verifying("one")).toHaveLength(2);
    expect(() => loadSecretKeys({ ...given(), dataDir: file }).signing("one")).toThrow(
      /^secret key: can't make .*secret\.key: set SECRET_KEY \(E/,
    );
  });
});
