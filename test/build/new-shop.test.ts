import { execFile, execSync } from "node:child_process";
import { createHash } from "node:crypto";
import { globSync, readFileSync, statSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { arch, platform, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { minute } from "../../client/rules/time.ts";
import { pack } from "../../deploy/build/package.ts";
import packageJson from "../../package.json" with { type: "json" };
import { codeIn } from "../docs/read-documents.ts";
import { type ServiceProcess, startProcess } from "../support/start-process.ts";

/** A machine with Node 20, with no git, and with an npm that has downloaded nothing yet. */
const machine = await mkdtemp(join(tmpdir(), "machine-"));
const bin = join(machine, "bin");
// How npm reaches its registry.
const network = /^(HOME|NODE_EXTRA_CA_CERTS|https?_proxy|no_proxy|npm_config_(registry|cafile|userconfig))$/i;
const environment = {
  ...Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value = ""]) => (network.test(name) ? [[name, value]] : [])),
  ),
  PATH: bin,
  npm_config_cache: join(machine, "cache"),
  npm_config_yes: "true",
  PORT: "0",
  OPS_PORT: "0",
};
const oldNode = resolve("test/node_modules", `node-20-${platform()}-${arch()}`, "bin/node");

const [packing, ...makingShop] =
  codeIn("sh")
    .find((code) => code.includes("init ../my-shop"))
    ?.trim()
    .split("\n") ?? [];
/** The commands of docs/packages.md between those that make the packages and the start. */
const install = makingShop.slice(0, -1);

const shop = join(machine, "my-shop");
const installed = join(shop, "node_modules", packageJson.name);
const services: ServiceProcess[] = [];

beforeAll(async () => {
  await mkdir(bin);
  await symlink(oldNode, join(bin, "node"));
  // Bash replaces itself by a script's last command, so that command gets the signals.
  const programs = { npm: "npm", npx: "npx", sh: "bash" };
  for (const [name, program] of Object.entries(programs))
    await symlink(execSync(`command -v ${program}`, { encoding: "utf8" }).trim(), join(bin, name));
  const checkout = join(machine, "storefront-fragments");
  await pack(join(checkout, "dist/packages"));
  await done(runWords(checkout, ["sh", "-ec", install.join("\n")]));
}, 5 * minute);

afterAll(async () => {
  // npm forwards this signal, and no other.
  for (const service of services) service.signal("SIGTERM");
  await Promise.all(services.map(({ ended }) => ended));
  await rm(machine, { recursive: true, maxRetries: 3 });
}, minute);

/** Runs a command on the machine, with further variables. */
function run(cwd: string, command: string, variables = {}) {
  return runWords(cwd, command.split(" "), variables);
}

function runWords(cwd: string, [program = "", ...words]: string[], variables = {}) {
  return promisify(execFile)(program, words, { cwd, env: { ...environment, ...variables } }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

async function done(running: ReturnType<typeof run>) {
  const { code, stderr } = await running;
  expect(code, stderr).toBe(0);
}

/** Starts a shop by npm, and requests one of its footers. */
async function footerOf(folder: string, site: string, variables = {}) {
  const service = startProcess({ ...environment, ...variables }, ["npm", "start"], folder);
  services.push(service);
  const answer = await fetch(`http://127.0.0.1:${await service.port}/fragments/footer/${site}`);
  return answer.text();
}

/** Builds the shop, and lists the files with their hashes. */
async function buildShop() {
  await done(run(shop, "npm run build"));
  const files = globSync("dist/**/*", { cwd: shop, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map((entry) => {
    const path = join(entry.parentPath, entry.name);
    return `${path} ${createHash("sha256").update(readFileSync(path)).digest("hex")}`;
  });
}

/** Copies a shop to a folder of the machine, with the already installed packages. */
async function copyShop(from: string, name: string) {
  const folder = join(machine, name);
  await cp(from, folder, { recursive: true, filter: (path) => !/\/(node_modules|dist|data)$/.test(path) });
  await symlink(join(shop, "node_modules"), join(folder, "node_modules"));
  return folder;
}

it("shows a new shop's footer after the commands of docs/packages.md", async () => {
  expect([packing, ...makingShop.slice(-1)]).toEqual(["npm ci && npm run pack", "npm start"]);
  expect(await readdir(shop)).toEqual(
    expect.arrayContaining([".dockerignore", ".env.example", ".gitignore", ".vscode"]),
  );
  expect(await footerOf(shop, "DE")).toContain("Gut zu wissen bei My Shop");
});

it("gives editors schemas that exist, and types that the country fits", async () => {
  const settings = JSON.parse(await readFile(join(shop, ".vscode/settings.json"), "utf8"));
  for (const { url } of settings["json.schemas"])
    expect(JSON.parse(readFileSync(join(shop, url), "utf8"))).toBeTypeOf("object");
  await done(run(".", `${process.execPath} node_modules/typescript/bin/tsc --project ${shop}`));
});

it("builds a folder that starts with Node 26 alone, with the same bytes every time, and keeps the data in it", async () => {
  const files = await buildShop();
  await mkdir(join(shop, "dist/data"));
  await writeFile(join(shop, "dist/data/sign-ups"), "");
  const again = await buildShop();
  expect(again.filter((file) => !file.includes("/dist/data/sign-ups "))).toEqual(files);
  expect(again.length).toBe(files.length + 1);
  const alone = join(machine, "alone");
  await rename(join(shop, "dist"), alone);
  expect(await footerOf(alone, "DE", { PATH: `${dirname(process.execPath)}:${bin}` })).toContain("bei My Shop");

  await mkdir(join(shop, "dist"));
  await writeFile(join(shop, "dist/notes.txt"), "");
  expect(await run(shop, "npm run build --silent")).toMatchObject({
    code: 1,
    stderr: "dist/ holds files that no build has written: move or remove them\n",
  });
});

it("refuses to build a shop that a start would refuse, and to start with blanks in production", async () => {
  const wrong = await copyShop(shop, "wrong");
  expect(await run(wrong, "npm start --silent", { NODE_ENV: "production" })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("brand.json /legalNames/DE must be filled in"),
  });
  await writeFile(join(wrong, "brand.json"), `{ "nam": "My Shop" }`);
  const texts = join(wrong, "locales/de/page.json");
  await writeFile(texts, (await readFile(texts, "utf8")).replace('"title"', '"titel"'));
  expect(await run(wrong, "npm run build --silent")).toEqual({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/^locales\/de\/page\.json \/titel .*\nbrand\.json \/nam .*\n$/),
  });
});

it("adds a country that has gaps, but no faults", async () => {
  const larger = await copyShop(shop, "larger");
  await done(run(larger, "npx storefront-fragments country add at"));
  const end = { code: 1, stderr: expect.stringMatching(/^faults: 0, gaps: [1-9]/m) };
  expect(await run(larger, "npm run check --silent")).toMatchObject(end);
});

it("starts the example, whose package depends on this version", async () => {
  const example = await copyShop("examples/maestral", "maestral");
  const { dependencies } = JSON.parse(await readFile(join(example, "package.json"), "utf8"));
  const { version, devDependencies } = packageJson;
  expect(dependencies).toEqual({ node: devDependencies.node, "storefront-fragments": version });
  expect(await footerOf(example, "HR")).toContain("Hrvatska");
});

it.each([
  ["--help", { code: 0, stdout: expect.stringMatching(/^Usage: storefront-fragments .*country gaps/s) }],
  ["init --help", { code: 0, stdout: expect.stringMatching(/^Usage: storefront-fragments init/) }],
  ["init", { code: 2, stderr: expect.stringContaining("missing required argument 'folder'") }],
  ["init .", { code: 1, stderr: expect.stringMatching(/^\. isn't an empty folder: .*\n$/) }],
  ["start", { code: 1, stderr: expect.stringContaining("needs Node 26 or newer; this is 20.") }],
])("runs on Node 20: storefront-fragments %s", async (words, end) => {
  expect(await run(shop, `${oldNode} ${join(installed, "server/commands/main.js")} ${words}`)).toMatchObject(end);
});

it("has a package of at most 12 MB with licences, and with no sources, tests or scripts", () => {
  const entries = globSync("**/*", { cwd: installed, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = entries.map(({ parentPath, name }) => join(parentPath, name).slice(installed.length + 1));
  const bytes = files.map((file) => statSync(join(installed, file)).size).reduce((sum, size) => sum + size);
  expect(bytes).toBeLessThan(12 * 1024 * 1024);
  expect(files).toEqual(expect.arrayContaining(["LICENSE", "THIRD-PARTY-NOTICES.txt", "sbom.json", "README.md"]));
  expect(files.filter((file) => /(?<!\.d)\.tsx?$|(^|\/)test\/|\.test\./.test(file))).toEqual([
    "examples/new-shop/countries/de.ts",
  ]);
  expect(JSON.parse(readFileSync(join(installed, "package.json"), "utf8"))).not.toHaveProperty("scripts");
});
