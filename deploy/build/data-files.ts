import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describeTexts } from "../../schemas/describe-texts.mjs";

/** Copies what the service reads at its start, and writes the schemas of the locale files. */
export async function copyData(): Promise<void> {
  const copied = [
    "locales",
    "client/features/footer/logos",
    "client/features/newsletter/pictures",
    "deploy/edge",
    "examples/new-shop",
  ];
  for (const folder of copied) await cp(folder, join("dist", folder), { recursive: true });
  await cp("schemas", "dist/schemas", { recursive: true, filter: (path) => !/\.m?[jt]s$/.test(path) });
  await cp("schemas/types.ts", "dist/schemas/types.d.ts");
  await mkdir("dist/schemas/locales");
  for (const [namespace, schema] of Object.entries(await describeTexts("locales")))
    await writeFile(`dist/schemas/locales/${namespace}.schema.json`, JSON.stringify(schema, null, 2));
}
