import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { StartError } from "../../../../server/errors.ts";
import { loadServiceKey } from "../../../../server/shop/store/load-service-key.ts";
import { type Database, openStore } from "../../../../server/shop/store/open-store.ts";
import { testLogger } from "../../../support/test-app.ts";
import { createStorePlace, openTestStore } from "../../../support/test-store.ts";

const newKey = () => randomBytes(32).toString("base64");

/** The faults of a start; undefined when there are none. */
async function faultsOf(options: Partial<Parameters<typeof openStore>[0]>) {
  try {
    await (await openStore({ ...(await createStorePlace()), logger: testLogger, ...options })).close();
    return undefined;
  } catch (error) {
    if (error instanceof StartError) return error.faults;
    throw error;
  }
}

const clearKeys = (db: Database) => db.selectFrom("serviceKey").selectAll().execute();
const encryptedKeys = (db: Database) => db.selectFrom("encryptedKey").selectAll().execute();

describe("the keys of the store", () => {
  it("are made once, and are the same for all replicas and after a restart", async () => {
    const place = { ...(await createStorePlace()), keyEncryptionKey: newKey() };
    const replicas = [await openTestStore(testLogger, place), await openTestStore(testLogger, place)];
    const keys = await Promise.all(replicas.map(({ db }) => loadServiceKey(db, "purpose")));
    expect(keys[0]).toHaveLength(32);
    expect(keys[1]).toEqual(keys[0]);
    const { db } = await openTestStore(testLogger, place);
    expect(await loadServiceKey(db, "purpose")).toEqual(keys[0]);
    expect(await loadServiceKey(db, "another purpose")).not.toEqual(keys[0]);
  });

  it("are good for their own purpose only", async () => {
    const place = await createStorePlace();
    const { db } = await openTestStore(testLogger, place);
    await loadServiceKey(db, "purpose");
    await db.updateTable("encryptedKey").set({ name: "another purpose" }).execute();
    await expect(loadServiceKey(db, "another purpose")).rejects.toThrow(/another purpose can't be decrypted/);
  });

  it("of an earlier release are encrypted at the start, and kept in clear no longer", async () => {
    const place = await createStorePlace();
    const earlier = await openTestStore(testLogger, place);
    const secret = randomBytes(32);
    await earlier.db
      .insertInto("serviceKey")
      .values({ name: "purpose", secret: secret.toString("base64url") })
      .execute();
    const { db } = await openTestStore(testLogger, place);
    expect(await loadServiceKey(db, "purpose")).toEqual(secret);
    expect(await clearKeys(db)).toEqual([]);
  });

  it("that an earlier release makes after it was rolled back to don't replace the encrypted ones", async () => {
    const place = await createStorePlace();
    const { db } = await openTestStore(testLogger, place);
    const secret = await loadServiceKey(db, "purpose");
    await db.insertInto("serviceKey").values({ name: "purpose", secret: "its-own" }).execute();
    const again = await openTestStore(testLogger, place);
    expect(await loadServiceKey(again.db, "purpose")).toEqual(secret);
    expect(await clearKeys(db)).toEqual([]);
  });

  it("stop the start of a replica with another key-encryption key, which makes none of its own", async () => {
    const place = { ...(await createStorePlace()), keyEncryptionKey: newKey() };
    const { db } = await openTestStore(testLogger, place);
    await loadServiceKey(db, "purpose");
    const before = await encryptedKeys(db);
    expect(await faultsOf({ ...place, keyEncryptionKey: newKey() })).toEqual([
      expect.stringMatching(/^store: its key purpose can't be decrypted: KEY_ENCRYPTION_KEY, .* must hold/),
    ]);
    expect(await faultsOf({ ...place, keyEncryptionKey: `${newKey()},${place.keyEncryptionKey}` })).toBeUndefined();
    expect(await encryptedKeys(db)).toEqual(before);
  });
});

describe("the key-encryption key", () => {
  const fileOf = (dataDir: string) => join(dataDir, "key-encryption.key");

  it("is a file in the data folder unless it is given, which nobody else can read", async () => {
    const place = await createStorePlace();
    expect(await faultsOf(place)).toBeUndefined();
    expect((await stat(fileOf(place.dataDir))).mode & 0o777).toBe(0o600);
    expect((await readdir(place.dataDir)).filter((name) => name.includes("key"))).toEqual(["key-encryption.key"]);
    const given = await createStorePlace();
    expect(await faultsOf({ ...given, keyEncryptionKey: newKey() })).toBeUndefined();
    expect((await readdir(given.dataDir)).filter((name) => name.includes("key"))).toEqual([]);
  });

  it("is made by one of several processes that start at once, for all of them", async () => {
    const { dataDir } = await createStorePlace();
    const script = `import { readKeyEncryptionKeys } from "./server/shop/store/key-encryption-keys.ts";
      console.log(readKeyEncryptionKeys({ dataDir: ${JSON.stringify(dataDir)} }, false)[0].toString("hex"));`;
    const processes = Array.from({ length: 4 }, () =>
      promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script]),
    );
    const keys = await Promise.all(processes);
    expect(new Set(keys.map(({ stdout }) => stdout)).size).toBe(1);
    expect(keys[0]?.stdout).toMatch(/^[\da-f]{64}\n$/);
  });

  it("that is gone stops the start, as a new one would decrypt nothing", async () => {
    const place = await createStorePlace();
    const { db } = await openTestStore(testLogger, place);
    await loadServiceKey(db, "purpose");
    await rm(fileOf(place.dataDir));
    expect(await faultsOf(place)).toEqual([
      expect.stringMatching(/^store: .*key-encryption\.key is missing: put it back/),
    ]);
    expect((await readdir(place.dataDir)).filter((name) => name.includes("key"))).toEqual([]);
  });

  it("is read from a file elsewhere, and stops the start when that is none", async () => {
    const { dataDir } = await createStorePlace();
    const keyEncryptionKeyFile = join(dataDir, "given.key");
    expect(await faultsOf({ keyEncryptionKeyFile })).toEqual([expect.stringMatching(/^store: can't read .*ENOENT/)]);
    await writeFile(keyEncryptionKeyFile, "secret\n");
    expect(await faultsOf({ keyEncryptionKeyFile })).toEqual([
      `store: ${keyEncryptionKeyFile} must be keys of 32 bytes in Base64, comma-separated where there are several`,
    ]);
    await writeFile(keyEncryptionKeyFile, `${newKey()}\n`);
    expect(await faultsOf({ keyEncryptionKeyFile })).toBeUndefined();
  });
});
