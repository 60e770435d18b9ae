import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** A package of which something is in a built file. */
export interface BundledPackage {
  /** As the lock file names it, for example `node_modules/react`. */
  folder: string;
  name: string;
  version: string;
  /** Id of SPDX's list. */
  license: string;
  /** The texts of its licence, with whose it is. */
  notice: string;
}

/** What of esbuild's report on an output is read. */
export interface Output {
  inputs: Record<string, { bytesInOutput: number }>;
}

/** What a package in the bundle may be under: each asks for its notice, and for nothing of our code. */
const allowed = ["Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BlueOak-1.0.0", "ISC", "MIT", "MIT-0"];

/** Where the notice of a package is that hasn't brought it. */
const keptNotices: Record<string, string> = { "@iconify-json/tabler": "client/icons/tabler-license.txt" };

/**
 * Finds the packages of which something is in built files, by their folders.
 * @throws Error naming a package whose licence isn't allowed, or that has no text of it
 */
export async function findPackages(outputs: readonly Output[]): Promise<BundledPackage[]> {
  const inputs = outputs.flatMap((output) => Object.entries(output.inputs));
  const folders = inputs.flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? (packageFolder(path) ?? []) : []));
  return Promise.all([...new Set(folders)].sort().map(readPackage));
}

/** Gives the folder of the package that a file is of, as the lock file names it: `node_modules` may be a link. */
export function packageFolder(path: string): string | undefined {
  return /\bnode_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
}

/** @throws Error naming a package whose licence isn't allowed, or that has no text of it */
export async function readPackage(folder: string): Promise<BundledPackage> {
  const { name, version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  if (!allowed.includes(license)) throw new Error(`${folder}: may a package under ${license} be in the bundle?`);
  const notice = (await readLicense(folder)) || (await readReadme(folder)) || (await readKept(name));
  if (!notice) throw new Error(`${folder}: there is no text of its licence`);
  return { folder, name, version, license, notice };
}

async function readLicense(folder: string): Promise<string> {
  const files = globSync("*", { cwd: folder }).filter((file) => /^(?:licen[cs]e|copying|notice)(?:\.|$)/i.test(file));
  const texts = await Promise.all(files.sort().map((file) => readFile(join(folder, file), "utf8")));
  return texts.map((text) => text.trim()).join("\n\n");
}

/** Gives what a readme says of the licence, where it has the text. */
async function readReadme(folder: string): Promise<string> {
  const [file] = globSync("*", { cwd: folder }).filter((name) => /^readme\.md$/i.test(name));
  const text = file ? await readFile(join(folder, file), "utf8") : "";
  const [, section = ""] = /^#+ licen[cs]e\s*$(.*)/ims.exec(text) ?? [];
  return section.includes("Permission is hereby granted") ? section.trim() : "";
}

async function readKept(name: string): Promise<string> {
  const file = keptNotices[name];
  return file ? (await readFile(file, "utf8")).trim() : "";
}
