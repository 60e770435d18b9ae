import { cpSync, globSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Release {
  /** The folder that has its `dist/`. */
  folder: string;
  remove(): void;
}

/**
 * Makes what a release after this one may be: it has another id, and all of its files in the browser have other names,
 * so that neither release has those of the other.
 */
export function makeNextRelease(): Release {
  const folder = mkdtempSync(join(tmpdir(), "next-release-"));
  const assets = join(folder, "dist", "assets");
  cpSync("dist", join(folder, "dist"), { recursive: true });
  cpSync("package.json", join(folder, "package.json"));
  const manifest = join(assets, "manifest.json");
  const { build, files, ...others } = JSON.parse(readFileSync(manifest, "utf8"));
  const renamed = Object.entries<string>(files).map(([name, file]) => [name, file.replace(/-\w+(?=\.\w+$)/, "$&NEXT")]);
  for (const [name, next] of renamed) {
    const file: string = files[name ?? ""];
    for (const suffix of ["", ".br", ".gz"])
      for (const path of globSync(join(assets, file + suffix))) renameSync(path, join(assets, `${next}${suffix}`));
  }
  const next = { build: `${build}-next`, files: Object.fromEntries(renamed), ...others };
  writeFileSync(manifest, JSON.stringify(next));
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}
