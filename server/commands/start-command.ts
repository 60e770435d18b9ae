import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { isBuilt, root } from "../platform/paths.ts";

/** Adds the command that starts the service. */
export function startCommand(program: Command): void {
  program.command("start").description("start the service").action(start);
}

/**
 * Replaces this process by the service, which has its flags of Node from its beginning. Where the system can't do that,
 * the service starts in this process without them.
 */
async function start(): Promise<void> {
  const words = [process.execPath, "--max-semi-space-size=8", join(root, "server/main.js")];
  if (isBuilt) process.execve?.(process.execPath, words);
  await import("../main.ts");
}

/**
 * Reads the variables of `.env` in the working directory; those that are set already stay. A working directory with
 * countries or a brand is the shop's folder, unless SHOP_DIR names another.
 */
export function readShopEnvironment(): void {
  if (existsSync(".env")) process.loadEnvFile(".env");
  const folder = process.cwd();
  // The checkout and the package hold the built-in shop.
  const isOwn = folder !== root && !existsSync("build.mjs");
  if (isOwn && (existsSync("countries") || existsSync("brand.json"))) process.env.SHOP_DIR ||= folder;
}
