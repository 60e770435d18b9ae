import { execFile } from "node:child_process";
import { cp, readFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";

/** What makes `dist/` a package: its description, its documents, and the help of its program. */
export async function writePackage(): Promise<void> {
  const { name, version, description, license, type, exports, engines, bin } = JSON.parse(
    await readFile("package.json", "utf8"),
  );
  // All that is built, but what the next start or build makes beside it.
  const files = ["**/*", "!bundles.json", "!compile-cache", "!packages"];
  await writeFile(
    "dist/package.json",
    JSON.stringify(
      { name, version, description, license, type, files, ...inPackage({ exports, bin }), engines },
      null,
      2,
    ),
  );
  for (const document of ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSE", "docs"])
    await cp(document, `dist/${document}`, { recursive: true, filter: (path) => !/\.ts$|docs.reports/.test(path) });
  // An old Node, which can't load the commands, prints it from there.
  const { stdout } = await promisify(execFile)(process.execPath, ["dist/server/commands/main.js", "--help"]);
  await writeFile("dist/server/commands/help.txt", stdout);
}

/** Returns paths of the repository as they are in the package, which has types without sources. */
function inPackage<Paths extends object>(paths: Paths): Paths {
  return JSON.parse(JSON.stringify(paths).replaceAll("./dist/", "./").replaceAll(".ts", ".d.ts"));
}
