import { execFile, execFileSync } from "node:child_process";
import { realpathSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { getCACertificates } from "node:tls";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type Milliseconds, minute } from "../../client/rules/time.ts";
import { productionVariables } from "../support/production-variables.ts";
import { startProcess, stopProcesses } from "../support/start-process.ts";

const run = promisify(execFile);

interface ImageConfig {
  Env: string[];
  User: string;
  WorkingDir: string;
  Cmd: string[];
  Healthcheck: { Test: string[] };
}

const buildLimit: Milliseconds = 8 * minute;
const megabyte = 1_000_000;
/** Of the image above its base: the package's limit. */
const addedLimit = 12 * megabyte;

let storage: string;
/** The root folder of a container of the image. */
let root: string;
let config: ImageConfig;
let baseSize: number;

/** Runs buildah on a storage of its own, in plain folders: overlays don't work on a container's filesystem. */
async function buildah(...words: string[]): Promise<string> {
  const options = ["--root", `${storage}/root`, "--runroot", `${storage}/run`, "--storage-driver", "vfs"];
  const { stdout } = await run("buildah", [...options, ...words], { maxBuffer: 10 * megabyte });
  return stdout.trim();
}

async function sizeOf(folder: string): Promise<number> {
  const { stdout } = await run("du", ["--summarize", "--bytes", folder]);
  return Number.parseInt(stdout, 10);
}

/** Makes an image that replaces the official one of Node: Debian's packages, Node and npm. */
async function buildBase(): Promise<void> {
  const container = await buildah("from", "scratch");
  const base = await buildah("mount", container);
  const packages = "--include=base-files,coreutils,dash,libatomic1,libstdc++6";
  await run("mmdebstrap", ["--quiet", "--variant=extract", packages, "bookworm", base]);
  const npm = dirname(dirname(realpathSync(execFileSync("which", ["npm"], { encoding: "utf8" }).trim())));
  const local = join(base, "usr/local");
  await cp(resolve("node_modules/node/bin/node"), join(local, "bin/node"));
  await cp(npm, join(local, "lib/node_modules/npm"), { recursive: true });
  await symlink("../lib/node_modules/npm/bin/npm-cli.js", join(local, "bin/npm"));
  // npm uses the packages and the trusted certificates of this machine.
  await mkdir(join(local, "etc"));
  const trusted = new Set([...getCACertificates("default"), ...getCACertificates("system")]);
  await writeFile(join(local, "etc/trusted.pem"), [...trusted].join("\n"));
  const settings = ["cache=/npm", "prefer-offline=true", "audit=false", "cafile=/usr/local/etc/trusted.pem"];
  await writeFile(join(local, "etc/npmrc"), settings.join("\n"));
  baseSize = await sizeOf(base);
  await buildah("commit", "--quiet", "--rm", container, "base");
}

/** Returns a command line that runs a command as in a container of the image: read-only except its volume. */
function inImage(command: readonly string[]): [string, ...string[]] {
  const mounts = [
    'mount --bind "$0" "$0"',
    'mount --bind "$0/data" "$0/data"',
    'mount --bind .github/shop "$0/shop"',
    'mount --rbind /dev "$0/dev"',
    'mount --rbind /proc "$0/proc"',
    'mount -o remount,bind,ro "$0"',
  ];
  const enter = `exec chroot --userspec=${config.User} "$0" env --chdir=${config.WorkingDir} "$@"`;
  return ["unshare", "--mount", "sh", "-c", [...mounts, enter].join(" && "), root, ...command];
}

function environment(): Record<string, string> {
  return Object.fromEntries(config.Env.map((line) => line.split(/=(.*)/s)).map(([name, value = ""]) => [name, value]));
}

async function runInImage(...command: string[]): Promise<string> {
  const [program, ...words] = inImage(command);
  return (await run(program, words, { env: environment() })).stdout;
}

describe.skipIf(!inject("canBuildImages"))("the image", () => {
  beforeAll(async () => {
    storage = await mkdtemp(join(tmpdir(), "buildah-"));
    await buildBase();
    const npmCache = execFileSync("npm", ["config", "get", "cache"], { encoding: "utf8" }).trim();
    await mkdir(npmCache, { recursive: true });
    const options = ["--isolation", "chroot", "--format", "docker", "--from", "base", "--volume", `${npmCache}:/npm`];
    await buildah("bud", "--quiet", ...options, "--tag", "storefront-fragments", ".");
    config = JSON.parse(await buildah("inspect", "--type", "image", "storefront-fragments")).Docker.config;
    root = await buildah("mount", await buildah("from", "storefront-fragments"));
    await mkdir(join(root, "shop"));
  }, buildLimit);

  afterAll(async () => {
    stopProcesses();
    await rm(storage, { recursive: true, maxRetries: 3 });
  }, minute);

  it("is little larger than its base", async () => {
    const added = (await sizeOf(root)) - baseSize;
    const inMegabytes = (bytes: number) => `${(bytes / megabyte).toFixed(1)} MB`;
    console.log(`tests: the image adds ${inMegabytes(added)} to a base of ${inMegabytes(baseSize)}`);
    expect(added).toBeLessThan(addedLimit);
  });

  it("runs as user 1000 on a read-only root, is healthy, serves, and drains at SIGTERM", async () => {
    await expect(runInImage("touch", "/tmp/file")).rejects.toThrow("Read-only file system");
    expect(await runInImage("id")).toBe("uid=1000 gid=1000 groups=1000\n");

    const variables = { ...productionVariables, ...environment(), HOST: "127.0.0.1", SHOP_DIR: "/shop" };
    const service = startProcess(variables, inImage(config.Cmd));
    const port = await service.port;
    const origin = `http://127.0.0.1:${port}`;
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
    expect(await (await fetch(`${origin}/fragments/footer/DE`)).text()).toContain('data-fragment="footer"');
    const [, ...healthCheck] = config.Healthcheck.Test;
    await runInImage("env", `PORT=${port}`, ...healthCheck);

    service.signal("SIGTERM");
    expect(await service.ended).toMatchObject({ code: 0, signal: null });
    expect(service.stderr()).toBe("");
  });

  it("has the program, the list of packages and their licences", async () => {
    expect(await runInImage("storefront-fragments", "--help")).toMatch(/^Usage: storefront-fragments /);
    expect(JSON.parse(await runInImage("cat", "sbom.json"))).toMatchObject({ bomFormat: "CycloneDX" });
    expect(await runInImage("cat", "THIRD-PARTY-NOTICES.txt")).toContain("Permission is hereby granted");
  });
});
