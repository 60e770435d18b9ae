import { execFile } from "node:child_process";
import { appendFile, cp, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll } from "vitest";
import { sourceFiles, sourceFolders } from "../../deploy/build/build-id.ts";
import packageJson from "../../package.json" with { type: "json" };

const version = "99.0.0";
const migration = `import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql\`alter table newsletter_subscription add column city text not null default 'unknown'\`.execute(db);
}
`;

/**
 * Builds a later release, which adds a column and has other files for browsers. It is removed after the tests of the file.
 * @returns its version, and the folder of the build
 */
export async function buildLaterRelease(): Promise<{ version: string; dist: string }> {
  const checkout = await mkdtemp(join(tmpdir(), "later-release-"));
  afterAll(() => rm(checkout, { recursive: true }));
  const inCheckout = (path: string) => join(checkout, path);
  for (const path of [...sourceFolders, ...sourceFiles]) await cp(path, inCheckout(path), { recursive: true });
  await symlink(resolve("node_modules"), inCheckout("node_modules"));
  await writeFile(inCheckout("package.json"), JSON.stringify({ ...packageJson, version }));
  await writeFile(inCheckout("server/store/migrations/9999-city.ts"), migration);
  await appendFile(inCheckout("client/boot.ts"), 'document.documentElement.dataset.release = "later";\n');
  await appendFile(inCheckout("client/features/newsletter/NewsletterBlock.tsx"), 'export const release = "later";\n');
  await promisify(execFile)(process.execPath, ["build.mjs"], { cwd: checkout });
  return { version, dist: inCheckout("dist") };
}
