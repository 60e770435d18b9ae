import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import type { Command } from "commander";
import { StartError } from "../platform/errors.ts";
import { isBuilt, root } from "../platform/paths.ts";
import { isShopFile } from "../platform/shop-folder.ts";

/** The variables with which the program was started, before those of a file. */
const given = { ...process.env };

/** Adds the commands that start the service. */
export function startCommands(program: Command): void {
  program.command("start").description("start the service").action(start);
  program.command("dev").description("start it, and show saved changes in open pages").action(dev);
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

/** Runs the service until the process ends, with a load at each change of the shop's folder or of `.env`. */
async function dev(): Promise<void> {
  const { SHOP_DIR } = process.env;
  if (!SHOP_DIR) throw new StartError(["there is no shop here: dev needs a folder with countries/ or brand.json"]);
  const { develop } = await import("../dev/develop.ts");
  await develop({
    program: join(root, "server/dev/main.js"),
    variables: () => readVariables(given),
    watched: [
      { folder: SHOP_DIR, counts: isShopFile },
      { folder: ".", counts: (path) => path === envFile },
    ],
    prepare: async (files) => files.includes(envFile),
  });
  // Its listener keeps the process alive; the command never ends by itself.
  await new Promise(() => undefined);
}

const envFile = ".env";

/**
 * Reads the variables of `.env` in the working directory; those that are set already stay. A working directory with
 * countries or a brand is the shop's folder, unless SHOP_DIR names another.
 */
export function readShopEnvironment(): void {
  Object.assign(process.env, readVariables(given));
}

/** Returns some variables with those that the shop's folder adds. */
function readVariables(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const all = { ...(existsSync(envFile) && parseEnv(readFileSync(envFile, "utf8"))), ...variables };
  const folder = process.cwd();
  // The checkout and the package hold the built-in shop.
  const isOwn = folder !== root && !existsSync("build.mjs");
  return isOwn && !all.SHOP_DIR && (existsSync("countries") || existsSync("brand.json"))
    ? { ...all, SHOP_DIR: folder }
    : all;
}
