import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import esbuild from "esbuild";
import { oldestNode } from "../../server/process/require-node.mjs";
import { packFolder, repositoryOf } from "./package.ts";

const run = promisify(execFile);
const sources = "packages/client";
const built = "dist/packages/client";

/**
 * Builds the client for page teams, and packs it with the recorded answers for its test server.
 * @param packages - the folder of the tarball
 * @returns the path of the tarball
 */
export async function packClient(packages = "dist/packages"): Promise<string> {
  await rm(built, { recursive: true, force: true });
  await bundleClient(built);
  await Promise.all([writeTypes(), recordRelease()]);
  const { version, license } = JSON.parse(await readFile("package.json", "utf8"));
  const { name, exports, ...description } = JSON.parse(await readFile(`${sources}/package.json`, "utf8"));
  const content = { name, version, ...description, license, repository: repositoryOf(process.env), exports };
  await writeFile(`${built}/package.json`, JSON.stringify(content, null, 2));
  for (const document of [`${sources}/README.md`, "LICENSE"]) await cp(document, join(built, basename(document)));
  return packFolder(built, packages);
}

/** Bundles the client's entry points into a folder, from which programs can import them. */
export async function bundleClient(folder: string): Promise<void> {
  await esbuild.build({
    entryPoints: globSync(`${sources}/{index,express,element,testing}.ts`).concat(`${sources}/react.tsx`),
    outdir: folder,
    bundle: true,
    splitting: true,
    platform: "neutral",
    packages: "external",
    external: ["node:*"],
    format: "esm",
    target: ["es2022", `node${oldestNode}`],
    jsx: "automatic",
    logLevel: "warning",
  });
  await cp(`${sources}/package.json`, `${folder}/package.json`);
}

/** Writes the declarations of the client's own modules. They refer to no others. */
async function writeTypes(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "types-"));
  await run(process.execPath, ["node_modules/typescript/bin/tsc", "--project", sources, "--outDir", folder]);
  for (const file of globSync(`${folder}/${sources}/*.d.ts`)) {
    const types = await readFile(file, "utf8");
    await writeFile(join(built, basename(file)), types.replaceAll(/(?<=from "\.\/[\w-]+)\.tsx?(?=")/g, ".js"));
  }
  await rm(folder, { recursive: true });
}

/** Records the fragments of every site and all files that they load, from the built service. */
async function recordRelease(): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), "record-"));
  const env = { DEMO: "off", HOST: "127.0.0.1", PORT: "0", OPS_PORT: "0", DATA_DIR: data };
  const service = spawn(process.execPath, ["dist/server/main.js"], { env, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(service, "exit");
  try {
    const origin = `http://127.0.0.1:${await portOf(service.stdout)}`;
    const countries = await Promise.all(globSync("countries/*.ts").map((file) => import(resolve(file))));
    const paths = new Set(
      countries.flatMap(({ default: { site } }) =>
        ["footer", "header", "newsletter", "head"].flatMap((name) =>
          ["", ".json"].map((end) => `/fragments/${name}/${site}${end}`),
        ),
      ),
    );
    for (const path of paths) for (const loaded of await record(origin, path)) paths.add(loaded);
  } finally {
    service.kill();
    await ended;
    await rm(data, { recursive: true });
  }
}

/** Reads the service's port from its log. */
async function portOf(log: Readable): Promise<number> {
  for await (const line of createInterface(log)) {
    const { msg, port } = JSON.parse(line);
    if (msg !== "listening") continue;
    log.resume();
    return port;
  }
  throw new Error("the service hasn't started");
}

/**
 * Records an answer of the service.
 * @returns the paths of the files that it loads, and of their licences
 */
async function record(origin: string, path: string): Promise<string[]> {
  const response = await fetch(origin + path);
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} can't be recorded: the service answers ${response.status}`);
  await mkdir(dirname(`${built}/release${path}`), { recursive: true });
  await writeFile(`${built}/release${path}`, text);
  const absolute = text.match(/(?<=["'(])\/(?:assets|service)\/[\w./-]+\.(?:css|json|js|svg)\b/g) ?? [];
  const relative = path.endsWith(".js") ? (text.match(/(?<=["']\.\/)[\w.-]+\.js(?=["'])/g) ?? []) : [];
  const sprites = path.endsWith(".css") ? (text.match(/(?<=url\(\.\/)[\w.-]+\.svg(?=\))/g) ?? []) : [];
  const licences = text.match(/(?<=Licenses: )[\w.-]+\.txt/g) ?? [];
  return [...absolute, ...[...relative, ...sprites, ...licences].map((name) => `/assets/${name}`)];
}
