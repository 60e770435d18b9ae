import { copyFile, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";
import { backUp, restore } from "../../../server/store/backup.ts";
import { type Database, openStore } from "../../../server/store/open-store.ts";
import { createVisitors } from "../../faults/visitors.ts";
import { runCommand } from "../../support/run-command.ts";
import { startProcess, stopProcesses } from "../../support/start-process.ts";
import { testLogger } from "../../support/test-app.ts";
import { createStorePlace } from "../../support/test-store.ts";

afterAll(stopProcesses);

/** How many sign-ups are under way at once, and how many are taken before the backup and after it. */
const [atOnce, enough] = [8, 40];

const start = (dataDir: string) => startProcess({ DATA_DIR: dataDir, TRUST_PROXY: "127.0.0.1" });
const sqlite = (folder: string) => join(folder, "storefront.sqlite");

/** All rows of all tables of a file. */
function contentOf(file: string) {
  const database = new DatabaseSync(file, { readOnly: true });
  const tables = database.prepare("select name from sqlite_schema where type = 'table' order by name").all();
  const content = tables.map(({ name }) => [name, database.prepare(`select * from "${name}" order by 1, 2`).all()]);
  database.close();
  return Object.fromEntries(content) as Record<string, Record<string, unknown>[]>;
}

const emailsOf = (content: ReturnType<typeof contentOf>) =>
  new Set(content.newsletter_subscription?.map(({ email }) => email));

it("a backup made during sign-ups is consistent, and restores all that was acknowledged before", async () => {
  const [{ dataDir }, fresh] = [await createStorePlace(), (await createStorePlace()).dataDir];
  const file = join(fresh, "shop.backup");
  const service = start(dataDir);
  const port = await service.port;
  const { acknowledged, signUp } = createVisitors();
  const keepComing = async (count: number) => {
    while (acknowledged.size < count) await signUp(port);
  };
  const comeAtOnce = (count: number) => Promise.all(Array.from({ length: atOnce }, () => keepComing(count)));

  await comeAtOnce(enough);
  const before = new Set(acknowledged);
  const [{ code, stdout, stderr }] = await Promise.all([
    runCommand({ DATA_DIR: dataDir }, "backup", file),
    comeAtOnce(2 * enough),
  ]);
  await comeAtOnce(3 * enough);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/shop\.backup: \d+ rows in \d+ tables, without the secret key\n$/);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  service.signal("SIGKILL");
  await service.ended;

  const backup = contentOf(file);
  const all = emailsOf(contentOf(sqlite(dataDir)));
  expect([...before].filter((email) => !emailsOf(backup).has(email))).toEqual([]);
  expect([...emailsOf(backup)].filter((email) => !all.has(email))).toEqual([]);
  expect(emailsOf(backup).size, "there were more after the backup").toBeLessThan(all.size);

  expect(await runCommand({ DATA_DIR: fresh }, "restore", file)).toMatchObject({ code: 0, stderr: "" });
  expect(contentOf(sqlite(fresh))).toEqual(backup);
  expect((await stat(sqlite(fresh))).mode & 0o777).toBe(0o600);
  const restored = start(fresh);
  await signUp(await restored.port);
  expect(await runCommand({ DATA_DIR: fresh }, "restore", file)).toMatchObject({
    ...{ code: 1, stderr: `${sqlite(fresh)} is in use: stop the service first\n` },
  });
  expect(emailsOf(contentOf(sqlite(fresh))).size).toBe(emailsOf(backup).size + 1);
  restored.signal("SIGKILL");
  await restored.ended;
});

describe("a backup", async () => {
  const { dataDir } = await createStorePlace();
  const file = join(dataDir, "shop.backup");
  const at = new Date("2026-11-22T10:00:00Z");
  const putBack = (from = file) => restore(dataDir, from, at);
  const content = () => contentOf(sqlite(dataDir));
  const addTest = (db: Database, name: string) =>
    db.insertInto("abTest").values({ name, validFrom: 0, validTo: null }).execute();

  it("needs a database, and overwrites no file", async () => {
    expect(() => backUp(dataDir, file)).toThrow(/storefront\.sqlite doesn't exist$/);
    const { db, close } = await openStore({ dataDir, databaseUrl: undefined, logger: testLogger });
    await addTest(db, "first");
    backUp(dataDir, file);
    await close();
    const made = await readFile(file);
    expect(() => backUp(dataDir, file)).toThrow(/shop\.backup already exists$/);
    expect(await readFile(file)).toEqual(made);
    expect(() => backUp(dataDir, join(dataDir, "none", "shop.backup"))).toThrow(/can't be written \(ENOENT/);
  });

  it("replaces a database, which is kept beside it", async () => {
    const store = await openStore({ dataDir, databaseUrl: undefined, logger: testLogger });
    await addTest(store.db, "later");
    await expect(putBack()).rejects.toThrow(/storefront\.sqlite is in use: stop the service first$/);
    await store.close();
    const before = content();
    const said = await putBack();
    expect(said).toMatch(/ is what was there before$/);
    expect(contentOf(`${sqlite(dataDir)}.replaced-2026-11-22T10-00-00.000Z`)).toEqual(before);
    expect(content()).toEqual(contentOf(file));
    expect(content()).not.toEqual(before);
    expect((await readdir(dataDir)).filter((name) => /-(wal|shm)$|\.tmp$/.test(name))).toEqual([]);
  });

  it("replaces a damaged database", async () => {
    await writeFile(sqlite(dataDir), "damaged".repeat(1_000));
    await writeFile(`${sqlite(dataDir)}-wal`, "damaged, too");
    await putBack();
    expect(content()).toEqual(contentOf(file));
  });

  it("isn't restored if it is missing, damaged, no backup or from a newer release", async () => {
    const before = content();
    const wrong = join(dataDir, "wrong.backup");
    await expect(putBack(wrong)).rejects.toThrow(/wrong\.backup doesn't exist$/);
    await writeFile(wrong, "no database".repeat(1_000));
    await expect(putBack(wrong)).rejects.toThrow(/file is not a database/);
    const whole = await readFile(file);
    await writeFile(wrong, whole.subarray(0, whole.length / 2));
    await expect(putBack(wrong)).rejects.toThrow(/malformed|is damaged/);
    await writeFile(wrong, "");
    await expect(putBack(wrong)).rejects.toThrow(/wrong\.backup isn't a backup of this service$/);
    await copyFile(file, wrong);
    const database = new DatabaseSync(wrong);
    database.exec("insert into kysely_migration (name, timestamp) values ('9999-later', '2030')");
    database.close();
    await expect(putBack(wrong)).rejects.toThrow(/is from a newer release, which has the migration 9999-later$/);
    expect(content()).toEqual(before);
  });
});

it("the commands name PostgreSQL's own program", async () => {
  const env = { DATABASE_URL: "postgres://localhost/shop", SECRET_KEY: "A".repeat(43) };
  for (const name of ["backup", "restore"])
    expect(await runCommand(env, name, "file")).toMatchObject({
      ...{
        code: 1,
        stderr: expect.stringMatching(/^DATABASE_URL is set: pg_(dump|restore) does this for PostgreSQL\n$/),
      },
    });
});
