import { cp, mkdtemp, readdir, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** What the copy lacks: history, packages, what programs write, and tests, which aren't built. */
const leftOut = [".git", ".dev", "data", "dist", "node_modules", "test"];

/**
 * Copies the checkout without built files and tests.
 * @returns the folder of the copy
 */
export async function copyCheckout(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), "checkout-"));
  for (const name of await readdir("."))
    if (!leftOut.includes(name)) await cp(name, join(copy, name), { recursive: true });
  await symlink(resolve("node_modules"), join(copy, "node_modules"));
  return copy;
}
