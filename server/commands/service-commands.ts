import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";
import type { Command } from "commander";
import { loadShop } from "../context.ts";
import { StartError, throwFaults } from "../platform/errors.ts";
import { dist, root } from "../platform/paths.ts";
import { isShopFile, type ShopFolder } from "../platform/shop-folder.ts";
import { oldestNode } from "../process/require-node.mjs";
import { findStartFaults } from "../process/start-faults.ts";
import { findBlanks } from "../sites/find-gaps.ts";
import type { Run } from "../store/command.ts";

/** The variables with which the program was started, without those of a file. */
const given = { ...process.env };
const envFile = ".env";

/** The folder that `build` writes, in the working directory. */
const target = "dist";
// `exec`, because a shell in between wouldn't forward signals.
const start = "exec node service/server/commands/main.js start";
/** Files of the service that runs in that folder. */
const kept = ["data", ".env"];

/** Adds the commands that start the service. */
export function startCommands(program: Command): void {
  program.command("start").description("start the service").action(startService);
  program.command("dev").description("start it, and show saved changes in open pages").action(dev);
}

/**
 * Replaces this process by the service, which needs its Node flags from the start. If the system doesn't support that,
 * this process waits for the service.
 */
function startService(): void {
  const words = ["--max-semi-space-size=8", "--expose-gc", join(dist, "server/main.js")];
  process.execve?.(process.execPath, [process.execPath, ...words]);
  process.exitCode = spawnSync(process.execPath, words, { stdio: "inherit" }).status ?? 1;
}

/** Runs the service until the process ends, and reloads it at each change of the shop's folder or of `.env`. */
async function dev(): Promise<void> {
  const { SHOP_DIR } = process.env;
  if (!SHOP_DIR) throw new StartError(["there is no shop here: dev needs a folder with countries/ or brand.json"]);
  const { develop } = await import("./dev/develop.ts");
  await develop({
    program: join(root, "server/commands/dev/main.js"),
    variables: () => readVariables(given),
    watched: [
      { folder: SHOP_DIR, counts: isShopFile },
      { folder: ".", counts: (path) => path === envFile },
    ],
    prepare: async (files) => files.includes(envFile),
  });
  // The listener keeps the process alive. The command never ends by itself.
  await new Promise(() => undefined);
}

/**
 * Reads the variables of `.env` in the working directory; variables that are already set stay. If the working directory
 * has countries or a brand, it is the shop's folder, unless SHOP_DIR names another.
 */
export function readShopEnvironment(): void {
  Object.assign(process.env, readVariables(given));
}

/** Returns variables merged with those from the shop's folder. */
function readVariables(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const all = { ...(existsSync(envFile) && parseEnv(readFileSync(envFile, "utf8"))), ...variables };
  const folder = process.cwd();
  // The checkout and the package contain the built-in shop.
  const isOwn = folder !== root && !existsSync("build.mjs");
  return isOwn && !all.SHOP_DIR && (existsSync("countries") || existsSync("brand.json"))
    ? { ...all, SHOP_DIR: folder }
    : all;
}

/** Adds the command that writes a shop with the service to a folder, which runs without installed packages. */
export function buildCommand(program: Command, run: Run): void {
  program
    .command("build")
    .description("write the shop with the service to dist/, which needs Node alone")
    .action(
      run(async ({ env, logger, output }) => {
        const { shopFolder } = env;
        if (shopFolder.own === undefined)
          throw new StartError([
            "there is no shop here: run it in a folder with countries/ or brand.json, or set SHOP_DIR",
          ]);
        const loaded = await loadShop(env, logger, env.port);
        // The environment of the build isn't that of the future service.
        throwFaults(findStartFaults({ env: { ...env, production: false }, faults: [] }, loaded));
        await clearTarget();
        await writeTarget(shopFolder);
        await output.say(`the shop is in ${target}/: npm start starts it there`);
        const { shop } = loaded;
        const blanks = shop.countries.sites.flatMap((site) => findBlanks(site, shop.texts));
        if (blanks.length > 0 && !output.json)
          await output.write(
            ["before production, fill in the blanks of", ...blanks.map(({ place }) => place), ""].join("\n"),
          );
      }),
    );
}

/**
 * @throws StartError if the folder contains files that no build has written
 */
async function clearTarget(): Promise<void> {
  const entries = existsSync(target) ? await readdir(target) : [];
  const written = entries.filter((entry) => !kept.includes(entry));
  const description = join(target, "package.json");
  const isOwn = existsSync(description) && (await readFile(description, "utf8")).includes(start);
  if (written.length > 0 && !isOwn)
    throw new StartError([`${target}/ holds files that no build has written: move or remove them`]);
  for (const entry of written) await rm(join(target, entry), { recursive: true });
}

async function writeTarget({ own = "", files }: ShopFolder): Promise<void> {
  await mkdir(target, { recursive: true });
  // Written first, so that an interrupted build can be repeated.
  await writeFile(join(target, "package.json"), await describeTarget(own));
  for (const [file, path] of files) await cp(path, join(target, file));
  // Excludes files that a start or a build adds to the package.
  const { files: published }: { files: string[] } = JSON.parse(await readFile(join(dist, "package.json"), "utf8"));
  const omitted = published.filter((pattern) => pattern.startsWith("!")).map((name) => join(dist, name.slice(1)));
  await cp(dist, join(target, "service"), { recursive: true, filter: (path) => !omitted.includes(path) });
}

async function describeTarget(own: string): Promise<string> {
  const description = join(own, "package.json");
  const { name, version } = existsSync(description) ? JSON.parse(await readFile(description, "utf8")) : {};
  const engines = { node: `>=${oldestNode}` };
  return `${JSON.stringify({ name, version, private: true, type: "module", scripts: { start }, engines }, null, 2)}\n`;
}
