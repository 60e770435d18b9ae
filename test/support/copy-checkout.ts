import { cp, mkdtemp, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { sourceFiles, sourceFolders } from "../../deploy/build/build-id.ts";

const settings = ["biome.json", "tsconfig.json", ".gitignore"];

/**
 * Copies the checkout without built files.
 * @returns the folder of the copy
 */
export async function copyCheckout(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), "checkout-"));
  for (const path of [...sourceFolders, ...sourceFiles, ...settings])
    await cp(path, join(copy, path), { recursive: true });
  await symlink(resolve("node_modules"), join(copy, "node_modules"));
  return copy;
}
