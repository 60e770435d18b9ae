import { readFile, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { assets } from "./build-id.ts";
import { type Outputs, packageFolders } from "./licences.ts";

interface Bundle {
  /** The name in client/, such as boot.js. */
  name: string;
  packages: string[];
  /** The built file and everything that it statically imports. */
  files: Record<string, Sizes>;
}

interface Sizes {
  raw: number;
  gzip: number;
  brotli: number;
}

const bundlesFile = "dist/bundles.json";

/**
 * Records what each file costs a visitor, including everything that it statically imports.
 * @param names - built names by their names in client/
 */
export async function writeSizes(outputs: Outputs, names: Record<string, string>): Promise<void> {
  const bundles = Object.entries(names).map(async ([name, file]): Promise<Bundle> => {
    const files = withImports(join(assets, file), outputs);
    const bundled = Object.fromEntries(Object.entries(outputs).filter(([path]) => files.has(path)));
    const packages = packageFolders(bundled).map((folder) => folder.replace(/.*node_modules\//, ""));
    const sizes = await Promise.all([...files].map(async (path) => [basename(path), await readSizes(path)]));
    return { name, packages, files: Object.fromEntries(sizes) };
  });
  await writeFile(bundlesFile, JSON.stringify(await Promise.all(bundles), null, 2));
}

/** Prints the recorded sizes as a table. */
export async function printSizes(): Promise<void> {
  const bundles: Bundle[] = JSON.parse(await readFile(bundlesFile, "utf8"));
  console.log("    raw    gzip  brotli  (kB, with everything imported at once)");
  for (const { name, files } of bundles) {
    const sum = (of: (sizes: Sizes) => number) => Object.values(files).reduce((bytes, sizes) => bytes + of(sizes), 0);
    const columns = [sum(({ raw }) => raw), sum(({ gzip }) => gzip), sum(({ brotli }) => brotli)];
    const row = columns.map((bytes) => (bytes / 1024).toFixed(1).padStart(7)).join(" ");
    console.log(`${row}  ${name}: ${Object.keys(files).join(", ")}`);
  }
}

/** Collects a built file and everything that the browser loads with it. */
function withImports(file: string, outputs: Outputs, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const { path, kind, external } of outputs[file]?.imports ?? [])
    if (kind === "import-statement" && !external) withImports(path, outputs, found);
  return found;
}

async function readSizes(file: string): Promise<Sizes> {
  const [raw, gzip, brotli] = await Promise.all(["", ".gz", ".br"].map(async (end) => (await stat(file + end)).size));
  return { raw: raw ?? 0, gzip: gzip ?? 0, brotli: brotli ?? 0 };
}
