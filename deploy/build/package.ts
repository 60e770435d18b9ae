import { execFile } from "node:child_process";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

const documents = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSE", "docs"];

/**
 * Makes `dist/` a package: writes its package.json, and the help for old versions of Node, which can't load the
 * commands.
 */
export async function writePackage(): Promise<void> {
  const { name, version, description, license, type, bin, exports, engines } = JSON.parse(
    await readFile("package.json", "utf8"),
  );
  // Excludes what only the build reads, and what a start or the packing adds.
  const files = ["**/*", "!bundles.json", "!compile-cache", "!packages"];
  const repository = repositoryOf(process.env);
  // The package has declarations instead of sources.
  const published = JSON.stringify({ bin, exports }).replaceAll("./dist/", "./").replaceAll(".ts", ".d.ts");
  const content = { name, version, description, license, repository, type, files, ...JSON.parse(published), engines };
  await writeFile("dist/package.json", JSON.stringify(content, null, 2));
  const { stdout } = await run(process.execPath, ["dist/server/commands/main.js", "--help"]);
  await writeFile("dist/server/commands/help.txt", stdout);
}

/**
 * Packs the built service with its documents.
 * @param packages - the folder of the tarball
 * @returns the path of the tarball
 */
export async function pack(packages = "dist/packages"): Promise<string> {
  const isPublished = (path: string) => !/\.ts$|\breports\b/.test(path);
  for (const document of documents) await cp(document, `dist/${document}`, { recursive: true, filter: isPublished });
  return packFolder("dist", packages);
}

/**
 * Packs a folder by its `package.json`.
 * @returns the path of the tarball in `packages`
 */
export async function packFolder(folder: string, packages: string): Promise<string> {
  await mkdir(packages, { recursive: true });
  const { stdout } = await run("npm", ["pack", `./${folder}`, "--pack-destination", packages]);
  return `${packages}/${stdout.trim()}`;
}

/** Returns the repository of the release's workflow: without it, npm accepts no provenance. */
export function repositoryOf({ GITHUB_SERVER_URL, GITHUB_REPOSITORY }: NodeJS.ProcessEnv) {
  return GITHUB_REPOSITORY && { type: "git", url: `git+${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}.git` };
}
