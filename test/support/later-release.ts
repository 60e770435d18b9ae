import { execFile } from "node:child_process";
import { appendFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { copyCheckout } from "./copy-checkout.ts";

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
  const checkout = await copyCheckout();
  afterAll(() => rm(checkout, { recursive: true }));
  const inCheckout = (path: string) => join(checkout, path);
  await writeFile(inCheckout("package.json"), JSON.stringify({ ...packageJson, version }));
  await writeFile(inCheckout("server/store/migrations/9999-city.ts"), migration);
  await appendFile(inCheckout("client/boot.ts"), 'document.documentElement.dataset.release = "later";\n');
  await appendFile(inCheckout("client/features/newsletter/NewsletterBlock.tsx"), 'export const release = "later";\n');
  await promisify(execFile)(process.execPath, ["build.mjs"], { cwd: checkout });
  return { version, dist: inCheckout("dist") };
}
