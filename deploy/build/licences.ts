import { existsSync, globSync } from "node:fs";
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Metafile } from "esbuild";

/** esbuild's report on built files, by path. */
export type Outputs = Metafile["outputs"];

interface BundledPackage {
  name: string;
  version: string;
  /** The licence's SPDX id. */
  license: string;
  /** The hash by which npm checked the package: `sha512-` and Base64. */
  integrity: string;
  /** The texts of its licence, including its copyright. */
  notice: string;
}

/** Licences that require nothing but their notice. */
const allowed = ["Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BlueOak-1.0.0", "ISC", "MIT", "MIT-0"];

/** The package with the sprite's icons. */
const iconPackage = "node_modules/@iconify-json/tabler";

/**
 * Writes the list of the packages in the built files (CycloneDX 1.6), the statements about their advisories, and their
 * licences.
 * @throws Error naming a package whose licence isn't allowed, or has no text
 */
export async function writeLicences(outputs: Outputs): Promise<void> {
  const packages = await readPackages([...packageFolders(outputs), iconPackage]);
  await writeFile("dist/THIRD-PARTY-NOTICES.txt", formatNotices(packages));
  await writeFile("dist/sbom.json", JSON.stringify(createSbom(await readJson("package.json"), packages), null, 2));
  await copyFile("vex.json", "dist/vex.json");
}

/** Returns the licences of the packages in built files; an empty text if there are no packages. */
export async function noticesOf(outputs: Outputs): Promise<string> {
  return formatNotices(await readPackages(packageFolders(outputs)));
}

/** Returns the licence of the sprite's icons. */
export async function iconNotice(): Promise<string> {
  return formatNotices(await readPackages([iconPackage]));
}

/** Returns the folders of the packages in built files, as package-lock.json names them. */
export function packageFolders(outputs: Outputs): string[] {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const folders = inputs.flatMap(([path, { bytesInOutput }]) => {
    // Finds the package even if `node_modules` is a link to another folder.
    const [folder] = /\bnode_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(path) ?? [];
    return folder && bytesInOutput > 0 ? [folder] : [];
  });
  return [...new Set(folders)].sort();
}

async function readPackages(folders: readonly string[]): Promise<BundledPackage[]> {
  const { packages } = await readJson("package-lock.json");
  const bundled = folders.map(async (folder) => {
    const name = folder.replace(/.*node_modules\//, "");
    const { version, license, integrity } = packages[folder];
    if (!allowed.includes(license)) throw new Error(`${name}: the licence ${license} isn't allowed`);
    const notice = await readNotice(name, folder);
    if (!notice) throw new Error(`${name}: there is no text of its licence`);
    return { name, version, license, integrity, notice: notice.trim() };
  });
  return Promise.all(bundled);
}

/**
 * Reads the licence from the package's licence files or its readme; some packages have the text only in their
 * repository.
 */
async function readNotice(name: string, folder: string): Promise<string> {
  const fromRepository = `deploy/build/licences/${name.replace("/", "+")}.txt`;
  if (existsSync(fromRepository)) return readFile(fromRepository, "utf8");
  const files = globSync("*", { cwd: folder }).sort();
  const read = (pattern: RegExp) =>
    Promise.all(files.filter((file) => pattern.test(file)).map((file) => readFile(join(folder, file), "utf8")));
  const licences = await read(/^(?:licen[cs]e|copying|notice)(?:\.|$)/i);
  if (licences.length > 0) return licences.map((text) => text.trim()).join("\n\n");
  const [, section = ""] = /^#+ licen[cs]e\s*$(.*)/ims.exec((await read(/^readme\.md$/i)).join("")) ?? [];
  return section.includes("Permission is hereby granted") ? section : "";
}

function formatNotices(packages: readonly BundledPackage[]): string {
  const notices = packages.map((one) => `${one.name} ${one.version} (${one.license})\n\n${one.notice}\n`);
  return [...new Set(notices)].join(`\n${"-".repeat(80)}\n\n`);
}

/** Creates the list. It has no time and no random id, so that equal builds have equal bytes. */
function createSbom(product: Record<string, string>, packages: readonly BundledPackage[]) {
  const { name, version, description, license } = product;
  // Two folders may hold the same package.
  const components = new Map(packages.map((bundled) => [`${bundled.name}@${bundled.version}`, componentOf(bundled)]));
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": name,
        name,
        version,
        description,
        licenses: [{ license: { id: license } }],
      },
    },
    components: [...components.values()],
  };
}

function componentOf({ name, version, license, integrity }: BundledPackage) {
  const [ownName, group] = name.split("/").reverse();
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const content = Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex");
  return {
    type: "library",
    "bom-ref": purl,
    group,
    name: ownName,
    version,
    hashes: [{ alg: "SHA-512", content }],
    licenses: [{ license: { id: license } }],
    purl,
  };
}

async function readJson(file: string) {
  return JSON.parse(await readFile(file, "utf8"));
}
