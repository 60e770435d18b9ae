import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { minute } from "../../client/rules/time.ts";
import type { MadeShop } from "../fixtures/make-shop.ts";
import { openBrowser, readStatus } from "../support/open-browser.ts";
import { runCommand } from "../support/run-command.ts";
import { startProcess, stopProcesses } from "../support/start-process.ts";

const run = promisify(execFile);
afterAll(stopProcesses);

/** Returns Node's option that sets a process's clock, so that sessions and links of that time haven't expired. */
function clockFrom(time: number): string {
  const code = `const { now } = Date;
    globalThis.Date = class extends Date {
      constructor(...given) { super(...(given.length > 0 ? given : [now() - ${Date.now() - time}])); }
      static now() { return now() - ${Date.now() - time}; }
    };`;
  return `--import=data:text/javascript;base64,${Buffer.from(code).toString("base64")}`;
}

it.each(globSync("test/fixtures/shop-*.tgz"))(
  "passes the check and starts in production, with its sessions, links and data: %s",
  async (archive) => {
    const folder = await mkdtemp(join(tmpdir(), "earlier-shop-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    await run("tar", ["-xzf", archive, "-C", folder]);
    const { at, password, cookies, tokens }: MadeShop = JSON.parse(await readFile(join(folder, "made.json"), "utf8"));
    const environment = { DATA_DIR: join(folder, "data"), NODE_OPTIONS: clockFrom(Date.parse(at) + minute) };
    const restored = await runCommand(environment, "restore", join(folder, "shop.backup"));
    expect(restored).toMatchObject({ code: 0, stderr: "" });

    const shop = join(folder, "shop");
    const program = [process.execPath, resolve("dist/server/commands/main.js")] as const;
    const { stdout } = await run(program[0], [program[1], "check"], { cwd: shop, env: {} });
    expect(stdout).toBe("no faults, no gaps, and ready for production\n");

    const service = startProcess({ ...environment, HOST: "127.0.0.1" }, [...program, "start"], shop);
    const origin = `http://127.0.0.1:${await service.port}`;
    for (const site of ["DE", "GR", "HR"]) {
      const answer = await fetch(`${origin}/fragments/footer/${site}`);
      expect(answer.headers.get("X-Fragment-State")).toBe("fresh");
      expect(await answer.text()).toContain('data-section="newsletter"');
    }
    expect(await (await fetch(`${origin}/fragments/footer/DE`)).text()).toContain('data-section="promotion"');

    const warnings = service.stdout().match(/"level":[456]0.*$/gm) ?? [];
    expect(warnings.map((line) => line.replace(/.*"msg":"(.*)"}/, "$1"))).toEqual([
      "entries of countries have ended: remove them",
    ]);
    expect(service.stderr()).toBe("");

    const [customer, staff, visitor] = [openBrowser(cookies.customer), openBrowser(cookies.staff), openBrowser()];
    expect(await customer.renew(origin)).toBe(201);
    expect(await customer.signIn(origin, "customer@example.com", password)).toBe(200);
    expect(await staff.renewAsStaff(origin)).toBe(200);
    expect(await readStatus(origin, tokens.subscriber)).toBe("SUBSCRIBED");
    expect(await visitor.confirm(origin, tokens.visitor)).toBe(200);
  },
);
