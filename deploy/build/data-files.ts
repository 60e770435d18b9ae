import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describeTexts } from "../../schemas/describe-texts.mjs";
import { dist } from "./build-id.ts";
import { writeDocuments } from "./openapi.ts";

const copied = [
  "locales",
  "client/features/footer/logos",
  "client/features/newsletter/pictures",
  "deploy/edge",
  "examples/new-shop",
];

/** Whether a source is copied as it is, and nothing is built from it. */
export function isCopied(file: string): boolean {
  return copied.some((folder) => file.startsWith(`${folder}/`));
}

/** Copies the data that the service reads at its start. */
export async function copyData(): Promise<void> {
  for (const folder of copied) {
    // Removes what an earlier copy had.
    await rm(join(dist, folder), { recursive: true, force: true });
    await cp(folder, join(dist, folder), { recursive: true });
  }
  const isSchema = (path: string) => path === "schemas" || path.endsWith(".schema.json");
  await cp("schemas", join(dist, "schemas"), { recursive: true, filter: isSchema });
  writeDocuments();
  await cp("schemas/types.ts", join(dist, "schemas/types.d.ts"));
}

/** Writes the schemas by which editors check the locale files. */
export async function writeTextSchemas(): Promise<void> {
  await mkdir(join(dist, "schemas/locales"), { recursive: true });
  for (const [namespace, schema] of Object.entries(await describeTexts("locales")))
    await writeFile(join(dist, `schemas/locales/${namespace}.schema.json`), JSON.stringify(schema, null, 2));
}
