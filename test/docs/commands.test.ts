import { exec } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Milliseconds, minute } from "../../client/rules/time.ts";
import packageJson from "../../package.json" with { type: "json" };
import { formats } from "../../server/formats.ts";
import { builtService } from "../support/built-service.ts";
import { findFreePort } from "../support/find-free-port.ts";
import { type ServiceProcess, startProcess } from "../support/start-process.ts";
import { loadShop } from "../support/write-shop.ts";
import { commands, documentAt } from "./read-documents.ts";

/** A command may build, start and check everything. */
const limit: Milliseconds = minute;

const environment = { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "" };
const scripts: Record<string, string> = packageJson.scripts;

/** A checkout in which the service is developed. */
const copy = await mkdtemp(join(tmpdir(), "checkout-"));
/** Where commands find the files that they take, and leave those that they make. */
const desk = await mkdtemp(join(tmpdir(), "desk-"));

beforeAll(async () => {
  const sources = [
    "client",
    "countries",
    "deploy",
    "locales",
    "schemas",
    "server",
    "brand.json",
    "build.mjs",
    "biome.json",
  ];
  const settings = ["package.json", "package-lock.json", "tsconfig.json", ".gitignore"];
  for (const path of [...sources, ...settings]) await cp(path, join(copy, path), { recursive: true });
  await symlink(resolve("node_modules"), join(copy, "node_modules"));
  for (const path of ["countries", "locales"]) await cp(path, join(desk, path), { recursive: true });
  for (const path of ["node_modules", "dist"]) await symlink(resolve(path), join(desk, path));
  await writeFile(join(desk, "password.txt"), "correct horse battery staple\n");
  await writeFile(join(desk, "shop.json"), "{}");
});

afterAll(async () => {
  // npm passes this signal on, and no other.
  for (const service of services) service.signal("SIGTERM");
  await Promise.all(services.map(({ ended }) => ended));
  for (const folder of [copy, desk]) await rm(folder, { recursive: true, maxRetries: 3 });
}, limit);

/** Runs a command in a folder, as a shell does. Throws with what it has written when it fails. */
function run(command: string, cwd: string, variables: Record<string, string> = {}) {
  return promisify(exec)(command, { cwd, env: { ...environment, ...variables } });
}

const services: ServiceProcess[] = [];

/** Starts the service by a command, and asks it for a footer. */
async function serve(command: readonly [string, ...string[]], cwd?: string) {
  const opsPort = await findFreePort();
  const service = startProcess({ ...environment, OPS_PORT: String(opsPort) }, command, cwd);
  services.push(service);
  const port = await service.port;
  const answer = await fetch(`http://127.0.0.1:${port}/fragments/footer/DE`);
  expect(await answer.text()).toContain('data-fragment="footer"');
  return { port, opsPort };
}

const started = serve(["npm", "start"]);

/** How each command of the documents is tried. */
const trials: [pattern: RegExp, trial: (...match: string[]) => unknown][] = [
  [/^npm ci && npm start$|^npm start$/, () => started],
  [
    /^curl (\S+)$/,
    async (_line, address) => {
      const { port, opsPort } = await started;
      const url = address?.replace(":3000", `:${port}`).replace(":9464", `:${opsPort}`) ?? "";
      expect((await fetch(url)).status).toBe(200);
    },
  ],
  [/^npm run dev$/, () => serve(["npm", "run", "dev"], copy)],
  [
    /^echo "whsec_.*"$/,
    async (line) => expect(formats["webhook-secrets"]?.validate((await run(line, desk)).stdout.trim())).toBe(true),
  ],
  [/^npm run fix$/, (line) => run(line, copy)],
  // test/server/app/tenth-country.test.ts runs it, and goes on with what it has written.
  [/^npm run country -- si --from hu$/, () => expect(scripts.country).toMatch(/commands\.ts country add$/)],
  [/^cp .*$/, (line) => run(line, desk)],
  [/^npm run operate -- consent export \S+$/, (line) => run(line, ".", { DATA_DIR: desk })],
  [
    // test/postgres/copy-to-postgres.test.ts runs it with a PostgreSQL.
    /^npm run operate -- (copy-to-postgres)$/,
    async (_line, name) => {
      const running = run(`node dist/server/commands.js ${name}`, desk, { DATA_DIR: desk });
      await expect(running).rejects.toThrow("DATABASE_URL must be the PostgreSQL database to copy to");
    },
  ],
  [
    /^npm run operate -- (.*)$/,
    (_line, words) => run(`node dist/server/commands.js ${words}`, desk, { DATA_DIR: desk }),
  ],
  [/^SHOP_DIR=(\S+) npm start$/, (_line, folder = "") => loadShop(folder)],
  [/^docker (build|run) .*$/, expectInDockerfile],
  // There may be neither where the tests run. test/deploy/ tries what they read.
  [/^(docker compose|kubectl) .*$/, expectInDeployment],
  // What runs these is what must pass before a change lands.
  [/^npm ci$|^npm test$|^npm ci && npm test$|^npm run check$|^\.ci\/run$/, expectToLand],
  [/^npx node build\.mjs( --sizes)?$/, () => expect(scripts.test).toMatch(/^node build\.mjs && /)],
  [/^npx vitest run --project (\w+) (\S+)( -u)?$/, expectSuite],
  // Programs that take minutes: that they are whole is all that is tried.
  [/^npm run prove( -- -t \w+)?$/, () => expectSuite(scripts.prove ?? "", "proof", "test/faults/proofs.test.ts")],
  [/^npm run (bench)( -- [\w-]+)?$/, (_line, name) => expectProgram(/tsx (\S+)$/.exec(scripts[name ?? ""] ?? "")?.[1])],
  [/^npx tsx (\S+)$/, (_line, file) => expectProgram(file)],
];

describe("the command", () => {
  it.each(commands)(
    "%s",
    async (line) => {
      const [found] = trials.flatMap(([pattern, trial]) => {
        const match = pattern.exec(line);
        return match ? [() => trial(...match)] : [];
      });
      if (!found) throw new Error("nothing tries this command: say in test/docs/commands.test.ts how it is tried");
      await found();
    },
    limit,
  );
});

it("the image is made of files that are there, and runs what the build makes", async () => {
  const dockerfile = await readFile("Dockerfile", "utf8");
  const [, ...words] = builtService;
  expect(dockerfile).toContain(`CMD ${JSON.stringify(["node", ...words]).replaceAll(",", ", ")}`);
  expect(scripts.start).toBe(`node build.mjs && exec node ${words.join(" ")}`);
  expect(documentAt("docs/operate.md").text).toContain("`node dist/server/commands.js`");
  for (const file of ["dist/server/main.js", "dist/server/commands.js"]) expect(existsSync(file), file).toBe(true);
  const sources = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = ""]) => names.split(" "));
  const sent = (await readFile(".dockerignore", "utf8")).split("\n");
  for (const name of sources) {
    expect(existsSync(name), name).toBe(true);
    expect(sent).toContain(`!${name}`);
  }
});

/** There may be no Docker where the tests run: that the commands are those of a Dockerfile is all that is tried. */
async function expectInDockerfile(line: string) {
  const files = ["Dockerfile", "examples/maestral/Dockerfile"].map((file) => readFile(file, "utf8"));
  expect((await Promise.all(files)).join("")).toContain(`\n#   ${line}\n`);
}

async function expectInDeployment(line: string) {
  const files = ["compose/compose.yaml", "kubernetes/kustomization.yaml"];
  const texts = await Promise.all(files.map((file) => readFile(`deploy/${file}`, "utf8")));
  expect(texts.join("")).toContain(`\n#   ${line}\n`);
}

async function expectToLand(line: string) {
  const landing = await readFile(".ci/run", "utf8");
  if (line !== ".ci/run") expect(landing).toContain(line);
}

/** The suite is one of a project's: `npm test` runs it. */
async function expectSuite(_line: string, project = "", path = "") {
  expect(await readFile("vitest.config.ts", "utf8")).toContain(`"${project}"`);
  expect(existsSync(path), path).toBe(true);
}

/** The program can be built: it and all that it imports is there. */
async function expectProgram(file = "") {
  await build({
    entryPoints: [file],
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    write: false,
  });
}
