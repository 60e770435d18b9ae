import { exec } from "node:child_process";
import { cp, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type Milliseconds, minute } from "../../client/rules/time.ts";
import packageJson from "../../package.json" with { type: "json" };
import { findSites } from "../../server/config/country-files.ts";
import { formats } from "../../server/platform/formats.ts";
import { copyCheckout } from "../support/copy-checkout.ts";
import { findFreePort } from "../support/find-free-port.ts";
import { startIdentityProvider } from "../support/identity-provider.ts";
import { type ServiceProcess, startProcess } from "../support/start-process.ts";
import { commands } from "./read-documents.ts";

/** A command may build, start and check everything. */
const limit: Milliseconds = minute;

const environment = { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "" };
const scripts: Record<string, string> = packageJson.scripts;

/** A checkout in which the service is developed. */
const copy = await copyCheckout();
/** The folder from which commands read files, and to which they write them. */
const desk = await mkdtemp(join(tmpdir(), "desk-"));

beforeAll(async () => {
  for (const path of ["countries", "locales"]) await cp(path, join(desk, path), { recursive: true });
  for (const path of ["node_modules", "dist"]) await symlink(resolve(path), join(desk, path));
  await writeFile(join(desk, "password.txt"), "correct horse battery staple\n");
  await writeFile(join(desk, "shop.json"), "{}");
  await writeFile(join(desk, "codes.txt"), "TILL-1\n");
});

afterAll(async () => {
  // npm forwards this signal, and no other.
  for (const service of services) service.signal("SIGTERM");
  await Promise.all(services.map(({ ended }) => ended));
  for (const folder of [copy, desk]) await rm(folder, { recursive: true, maxRetries: 3 });
}, limit);

/**
 * Runs a command in a folder, as a shell does.
 * @throws Error with its output if it fails
 */
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

/** The trial of each command in the documents. */
const trials: [pattern: RegExp, trial: (...match: string[]) => unknown][] = [
  [/^npm ci && npm start$|^npm start$/, () => started],
  [
    /^curl "?([^\s"]+)"?$/,
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
  // The test of a tenth country runs it.
  [/^npm run country -- si --from hu$/, () => expect(scripts.country).toMatch(/commands\/main\.ts country add$/)],
  [/^cp .*$/, (line) => run(line, desk)],
  [/^npm run operate -- consent export \S+$/, (line) => run(line, ".", { DATA_DIR: desk })],
  [
    // The tests with PostgreSQL run it.
    /^npm run operate -- (copy-to-postgres)$/,
    async (_line, name) => {
      const running = run(`node dist/server/commands/main.js ${name}`, desk, { DATA_DIR: desk });
      await expect(running).rejects.toThrow("DATABASE_URL must be the PostgreSQL database to copy to");
    },
  ],
  [
    /^npm run operate -- (check-upstream \w+) https:\S+$/,
    async (_line, words) => {
      const { port } = await started;
      return run(`node dist/server/commands/main.js ${words} http://127.0.0.1:${port}`, ".", { DATA_DIR: desk });
    },
  ],
  [
    /^npm run operate -- check-upstream oidc$/,
    async () => {
      const origins = findSites("countries").map(
        (site) => `http://${site.toLowerCase().replace("_", "-")}.localhost:3000`,
      );
      const callbacks = origins.map((origin) => `${origin}/login/callback`);
      const client = { id: "shop", secret: "secret", callbacks, afterLogout: origins.map((origin) => `${origin}/`) };
      const provider = await startIdentityProvider({ clients: [client], people: [] });
      onTestFinished(provider.stop);
      return run("node dist/server/commands/main.js check-upstream oidc", ".", {
        DATA_DIR: desk,
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID: client.id,
        OIDC_CLIENT_SECRET: client.secret,
      });
    },
  ],
  [
    /^npm run operate -- export (\S+) --watch http:\S+$/,
    async (_line, folder = "") => {
      const { port } = await started;
      const words = ["export", join(desk, folder), "--watch", `http://127.0.0.1:${port}`];
      const watching = startProcess(environment, [process.execPath, "dist/server/commands/main.js", ...words]);
      await expect.poll(() => watching.stdout(), { timeout: limit }).toContain("DE written to");
      watching.signal("SIGTERM");
      expect(await watching.ended).toMatchObject({ code: 0 });
    },
  ],
  [
    // They read the countries of the built-in shop.
    /^npm run operate -- (promotions .*|vouchers import .*|export \w+)$/,
    (_line, words = "") =>
      run(`node dist/server/commands/main.js ${words.replace(/codes\.txt|footers/, (path) => join(desk, path))}`, ".", {
        DATA_DIR: desk,
      }),
  ],
  [
    /^npm run (?:--silent )?operate -- (.*)$/,
    (_line, words) => run(`node dist/server/commands/main.js ${words}`, desk, { DATA_DIR: desk }),
  ],
  // These need Docker or a cluster, or run everything. test/build/new-shop.test.ts runs those for a shop, as they stand.
  [
    /^(docker|kubectl) |^npm (ci|install|test)|^npm run (build|check|fix|prove|bench|hosts)|^(npx|cd) |^\.ci\/run$/,
    () => undefined,
  ],
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
