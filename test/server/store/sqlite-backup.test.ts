import { copyFile, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, it } from "vitest";
import { createVisitors } from "../../faults/visitors.ts";
import { runCommand } from "../../support/run-command.ts";
import { startProcess, stopProcesses } from "../../support/start-process.ts";
import { createStorePlace } from "../../support/test-store.ts";

afterAll(stopProcesses);

/** The number of concurrent sign-ups, and of those accepted before the backup and after it. */
const [atOnce, enough] = [8, 40];

const [{ dataDir }, { dataDir: fresh }] = [await createStorePlace(), await createStorePlace()];
const file = join(fresh, "shop.backup");
const start = (folder: string) => startProcess({ DATA_DIR: folder, TRUST_PROXY: "127.0.0.1" });
const sqlite = (folder: string) => join(folder, "storefront.sqlite");
const backUp = (to = file) => runCommand({ DATA_DIR: dataDir }, "backup", to);
const restore = (from = file) => runCommand({ DATA_DIR: fresh }, "restore", from);
const fault = (stderr: string | RegExp) => ({ code: 1, stdout: "", stderr: expect.stringMatching(stderr) });

/** Returns all rows of all tables of a file. */
function contentOf(path: string) {
  const database = new DatabaseSync(path, { readOnly: true });
  const tables = database.prepare("select name from sqlite_schema where type = 'table' order by name").all();
  const content = tables.map(({ name }) => [name, database.prepare(`select * from "${name}" order by 1, 2`).all()]);
  database.close();
  return Object.fromEntries(content) as Record<string, Record<string, unknown>[]>;
}

const emailsOf = (content: ReturnType<typeof contentOf>) =>
  new Set(content.newsletter_subscription?.map(({ email }) => email));

it("a backup needs a database", async () => {
  expect(await backUp()).toEqual(fault(/storefront\.sqlite doesn't exist\n$/));
});

it("a backup made during sign-ups is consistent, and restores all that was acknowledged before", async () => {
  const service = start(dataDir);
  const port = await service.port;
  const { acknowledged, signUp } = createVisitors();
  const keepComing = async (count: number) => {
    // A busy service refuses some visitors, who then try again.
    const tryAgain = (error: Error) => expect(error.message).toContain("503");
    while (acknowledged.size < count) await signUp(port).catch(tryAgain);
  };
  const comeAtOnce = (count: number) => Promise.all(Array.from({ length: atOnce }, () => keepComing(count)));

  await comeAtOnce(enough);
  const before = new Set(acknowledged);
  const [{ code, stdout, stderr }] = await Promise.all([backUp(), comeAtOnce(2 * enough)]);
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
  expect(await restore()).toMatchObject({ code: 0, stderr: "" });
  expect(contentOf(sqlite(fresh))).toEqual(backup);
  expect((await stat(sqlite(fresh))).mode & 0o777).toBe(0o600);
});

it("a backup overwrites no file", async () => {
  const made = await readFile(file);
  expect(await backUp()).toEqual(fault(/shop\.backup already exists\n$/));
  expect(await readFile(file)).toEqual(made);
  expect(await backUp(join(fresh, "none", "shop.backup"))).toEqual(fault(/can't be written \(ENOENT/));
});

it("a backup replaces a database that isn't in use, and keeps it", async () => {
  const service = start(fresh);
  await createVisitors().signUp(await service.port);
  expect(await restore()).toEqual(fault(/storefront\.sqlite is in use: stop the service first\n$/));
  service.signal("SIGKILL");
  await service.ended;
  const before = contentOf(sqlite(fresh));
  const { stdout } = await restore();
  const [, kept = ""] = /; (.*) is what was there before\n$/.exec(stdout) ?? [];
  expect(contentOf(kept)).toEqual(before);
  expect(contentOf(sqlite(fresh))).toEqual(contentOf(file));
  expect((await readdir(fresh)).filter((name) => /-(wal|shm)$|\.tmp$/.test(name))).toEqual([]);
});

it("a backup replaces a damaged database", async () => {
  await writeFile(sqlite(fresh), "damaged".repeat(1_000));
  await writeFile(`${sqlite(fresh)}-wal`, "damaged, too");
  expect(await restore()).toMatchObject({ code: 0 });
  expect(contentOf(sqlite(fresh))).toEqual(contentOf(file));
});

const wrong = join(dataDir, "wrong.backup");

it.each<[string, RegExp, () => Promise<unknown>]>([
  ["missing", /wrong\.backup doesn't exist\n$/, async () => undefined],
  ["no database", /file is not a database/, () => writeFile(wrong, "no database".repeat(1_000))],
  [
    "cut off",
    /malformed|is damaged/,
    async () => {
      const whole = await readFile(file);
      await writeFile(wrong, whole.subarray(0, whole.length / 2));
    },
  ],
  ["empty", /wrong\.backup isn't a backup of this service\n$/, () => writeFile(wrong, "")],
  [
    "from a newer release",
    /is from a newer release, which has the migration 9999-later\n$/,
    async () => {
      await copyFile(file, wrong);
      const database = new DatabaseSync(wrong);
      database.exec("insert into kysely_migration (name, timestamp) values ('9999-later', '2030')");
      database.close();
    },
  ],
])("a file that is %s isn't restored", async (_what, message, prepare) => {
  const before = contentOf(sqlite(fresh));
  await prepare();
  expect(await restore(wrong)).toEqual(fault(message));
  expect(contentOf(sqlite(fresh))).toEqual(before);
});

it.each(["backup", "restore"])("%s names PostgreSQL's own program", async (name) => {
  const env = { DATABASE_URL: "postgres://localhost/shop", SECRET_KEY: "A".repeat(43) };
  expect(await runCommand(env, name, "file")).toEqual(
    fault(/^DATABASE_URL is set: pg_(dump|restore) does this for PostgreSQL\n$/),
  );
});
