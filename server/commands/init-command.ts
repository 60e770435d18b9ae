import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { Command, CommanderError } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { StartError, UsageError } from "../platform/errors.ts";
import { root } from "../platform/paths.ts";

/** The shop that is copied: it is called My Shop, and its package my-shop. */
const model = join(root, "examples/new-shop");

/** npm publishes no file of this name, so the model has it without its dot. */
const gitignore = ".gitignore";

/** Adds the command that writes a new shop. */
export function initCommand(program: Command): void {
  program
    .command("init <folder>")
    .description("write a new shop to a folder")
    .action((folder: string) => {
      writeNewShop(folder);
      process.stdout.write(`The shop is written. In the folder ${folder}, run:\n\n  npm install\n  npm start\n`);
    });
}

/** Runs `init` alone, on a Node too old for the other commands. Returns the exit code. */
export function runInit(words: readonly string[]): Promise<number> {
  const program = new Command(packageJson.name).exitOverride().showHelpAfterError();
  initCommand(program);
  return runProgram(program, words);
}

/**
 * Runs the command of a program that some words are.
 * @returns the exit code: 0 when it is done, 1 when it can't be done, 2 when it isn't written as its help says
 */
export async function runProgram(program: Command, words: readonly string[]): Promise<number> {
  try {
    await program.parseAsync(words, { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    process.stderr.write(`${messageOf(error)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

/** @throws the reason itself, unless it is meant for operators */
function messageOf(reason: unknown): string {
  if (reason instanceof StartError) return reason.message;
  if (reason instanceof Error && "code" in reason && reason.code === "EPIPE")
    return "the output was closed before all of it was written";
  throw reason;
}

/**
 * Writes a shop with one country. It depends on this version of the service, and on the Node for which that is built.
 * @throws StartError when the folder isn't empty
 */
function writeNewShop(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found && (!found.isDirectory() || readdirSync(folder).length > 0))
    throw new StartError([`${folder} isn't an empty folder: name an empty one, or one that doesn't exist yet`]);
  const { id, name } = namesOf(basename(resolve(folder)));
  for (const entry of readdirSync(model, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const content = readFileSync(path, "utf8").replaceAll("my-shop", id).replaceAll("My Shop", name);
    const file = join(folder, relative(model, path).replace(/^gitignore$/, gitignore));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, entry.name === "package.json" ? withVersions(content) : content);
  }
}

/** Names a shop after its folder: `id` names its package, its image and its example host, `name` is for people. */
function namesOf(folder: string) {
  const words = folder.match(/[\p{L}\p{N}]+/gu)?.slice(0, 5) ?? [];
  // Letters without their accents, as hosts and packages have them.
  const plain = words.join("-").normalize("NFKD").toLowerCase();
  const id = plain.replaceAll(/[^a-z0-9-]/g, "").replaceAll(/^-+|-+$/g, "");
  if (id === "") return { id: "my-shop", name: "My Shop" };
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" ");
  // A package can't depend on itself.
  return { id: [packageJson.name, "node"].includes(id) ? `${id}-shop` : id, name };
}

function withVersions(source: string): string {
  const { name, version, devDependencies } = packageJson;
  const content = JSON.parse(source);
  content.dependencies = { node: devDependencies.node, [name]: version };
  return `${JSON.stringify(content, null, 2)}\n`;
}
