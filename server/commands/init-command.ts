import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { Command, CommanderError } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { StartError, UsageError } from "../platform/errors.ts";
import { root } from "../platform/paths.ts";

/** The shop that is copied. Its name is My Shop, that of its package my-shop. */
const model = join(root, "examples/new-shop");

/** npm doesn't publish a file of this name, so the model has it without the dot. */
const gitignore = ".gitignore";

/** Adds the command that writes a new shop. */
export function initCommand(program: Command): void {
  program
    .command("init <folder>")
    .description("write a new shop to a folder")
    .action((folder: string) => {
      writeNewShop(folder);
      process.stdout.write(describeNextStep(folder));
    });
}

/** Names the commands that start a new shop. */
function describeNextStep(folder: string): string {
  return [
    `The shop is written. In the folder ${folder}, run:`,
    "",
    "  npm install",
    "  npm start",
    "",
    "If you have the package as a file, give npm install its path.",
    "",
  ].join("\n");
}

/**
 * Runs `init` only, on a Node too old for the other commands.
 * @returns the exit code
 */
export function runInit(words: readonly string[]): Promise<number> {
  const program = new Command(packageJson.name).exitOverride().showHelpAfterError();
  initCommand(program);
  return runProgram(program, words);
}

/**
 * Runs a command of a program.
 * @param words - the command with its arguments
 * @returns the exit code: 0 after success, 1 after a failure, 2 for wrong arguments
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

/**
 * @throws the reason itself, unless it is meant for operators
 */
function messageOf(reason: unknown): string {
  if (reason instanceof StartError) return reason.message;
  if (reason instanceof Error && "code" in reason && reason.code === "EPIPE")
    return "the output was closed before all of it was written";
  throw reason;
}

/**
 * Writes a shop with one country. It depends on this version of the service, and on the version of Node for which that
 * is built.
 * @throws StartError if the folder isn't empty
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

/**
 * Derives the names of a shop from its folder: `id` for its package, its image and its example host, `name` for people.
 */
function namesOf(folder: string) {
  const words = folder.match(/[\p{L}\p{N}]+/gu)?.slice(0, 5) ?? [];
  // Letters without accents, as required for hosts and packages.
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
