import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { rowsOf } from "./read-documents.ts";

const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), "newsletter-field-"));
const sources = ["client", "countries", "locales", "schemas", "server", "test/support", "brand.json", "package.json"];
/** What the declaration of the personal fields imports. */
const declaration = ["client/rules", "locales", "schemas", "server/store", "server/features/newsletter/embedded"];

beforeAll(async () => {
  await symlink(resolve("node_modules"), join(folder, "node_modules"));
  await addCity("complete", sources);
  await symlink(resolve("dist"), join(folder, "complete/dist"));
});
afterAll(() => rm(folder, { recursive: true }));

const schemas = "schemas/newsletter-";
const embedded = "server/features/newsletter/embedded/";
const migration = "server/store/migrations/9999-city.ts";
const migrate = `import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql\`alter table newsletter_subscription add column city text\`.execute(db);
}
`;

/** The steps of the row for a field `city`: each changes a file. */
const steps: Record<string, (text: string) => string> = {
  [`${schemas}subscription.schema.json`]: after('"properties": {', '"city": { "type": "string" },'),
  [`${schemas}change.schema.json`]: after('"properties": {', '"city": { "type": "string" },'),
  [`${schemas}event.schema.json`]: after('"email": { "type": "string" },', '"city": { "type": ["string", "null"] },'),
  [`${embedded}newsletter-tables.ts`]: after("lastName: string | null;", "city: string | null;"),
  [`${embedded}personal-fields.ts`]: after(
    'lastName: { ...name, canChange: true, atEnd: "emptied" },',
    'city: { ...name, canChange: true, atEnd: "emptied" },',
  ),
  [migration]: () => migrate,
};

function after(line: string, added: string) {
  return (text: string) => {
    expect(text).toContain(line);
    return text.replace(line, `${line}\n${added}`);
  };
}

/** Copies parts of the sources to a folder of a name, and takes the steps there but one. */
async function addCity(name: string, parts: readonly string[], omitted?: string) {
  const copy = join(folder, name);
  for (const part of parts) await cp(part, join(copy, part), { recursive: true });
  for (const [file, change] of Object.entries(steps))
    if (file !== omitted) await writeFile(join(copy, file), change(await readFile(file, "utf8").catch(() => "")));
  await run(process.execPath, [join(copy, "schemas/generate-types.mjs")]);
}

/** The steps that the type check notices. Without the migration, every sign-up fails. */
const checked = Object.keys(steps).filter((file) => file !== migration);

it("a field of the newsletter compiles with all steps of its row, and with none of them left out", async () => {
  const [, row] = rowsOf("docs/develop.md").find(([change]) => change === "a field of the newsletter") ?? [];
  for (const file of checked) expect(row).toContain(file.replace(embedded, ""));
  const omissions = checked.map((_, index) => `omission-${index}`);
  await Promise.all(checked.map((file, index) => addCity(`omission-${index}`, declaration, file)));
  const files = ["complete", ...omissions].flatMap((name) =>
    ["server/store/tables.ts", `${embedded}personal-fields.ts`].map((file) => join(name, file)),
  );
  const config = JSON.stringify({ extends: resolve("tsconfig.json"), include: [], files });
  await writeFile(join(folder, "tsconfig.json"), config);
  const options = ["--pretty", "false", "--project", "."];
  const { stdout } = await run("tsc", options, { cwd: folder }).catch((error) => error);
  const wrong = [...String(stdout).matchAll(/^([\w-]+)\/.+ error /gm)].map(([, name]) => name);
  expect(new Set(wrong)).toEqual(new Set(omissions));
});

it("a field of the newsletter is stored, changed, proven, exported and sent, and deleted at the end", async () => {
  const copied = pathToFileURL(join(folder, "complete/test/support/follow-field.ts")).href;
  const { followField }: typeof import("../support/follow-field.ts") = await import(copied);
  expect(await followField("city", "Bad Urach", "Ulm")).toEqual({
    ...{ signedUp: "Bad Urach", changedTo: "Ulm", exported: "Ulm", events: ["Bad Urach", "Ulm"] },
    proof: ["Bad Urach", "Bad Urach", "Ulm"],
    ...{ unsubscribed: null, refused: null, tablesAfterErasure: [] },
  });
});
