import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type Milliseconds, second } from "../../../client/rules/time.ts";
import { sendSignUp } from "../../faults/visitors.ts";
import { type ServiceProcess, startProcess, stopProcesses } from "../../support/start-process.ts";

/** The maximum time until the service works again after its file does. */
const recovery: Milliseconds = 5 * second;
/** The limit for a fast answer on a busy machine. One that waits for SQLite takes seconds. */
const fast: Milliseconds = second;

const dataDir = await mkdtemp(join(tmpdir(), "sqlite-process-"));
const file = join(dataDir, "storefront.sqlite");
let service: ServiceProcess;
let origin: string;

beforeAll(async () => {
  service = startProcess({ DATA_DIR: dataDir, HOST: "127.0.0.1" });
  origin = `http://127.0.0.1:${await service.port}`;
});

afterAll(async () => {
  stopProcesses();
  await service.ended;
  await rm(dataDir, { recursive: true });
});

/** Measures how long a call takes. */
async function timed(call: Promise<number | undefined>) {
  const start = performance.now();
  return { status: await call, took: performance.now() - start };
}

async function ask(path: string): Promise<number> {
  const answer = await fetch(origin + path);
  await answer.arrayBuffer();
  return answer.status;
}

function signUp(name: string) {
  return sendSignUp(Number(new URL(origin).port), `${name}@shop.example`);
}

/** Signs somebody up by the form without script. */
function submitForm(name: string): Promise<Response> {
  const body = new URLSearchParams({ email: `${name}@shop.example`, origin: "NEWSLETTER", originAddition: "footer" });
  const headers = { Origin: origin, "Sec-Fetch-Site": "same-origin" };
  return fetch(`${origin}/newsletter?site=DE`, { method: "POST", body, headers, redirect: "manual" });
}

async function untilItTakes(name: string) {
  let count = 0;
  await expect.poll(() => signUp(`${name}-${count++}`), { timeout: recovery }).toBe(202);
}

/** Opens the file as another process does. */
function openFile(): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 5 * second });
  onTestFinished(() => database.close());
  return database;
}

function isStored(name: string): boolean {
  const found = openFile().prepare("select id from newsletter_subscription where email = ?");
  return found.get(`${name}@shop.example`) !== undefined;
}

describe("while another process has the file locked", () => {
  it("sign-ups get their 503 in time, and don't delay requests that change nothing", async () => {
    const other = openFile();
    other.exec("begin immediate");
    const names = [1, 2, 3, 4].map((number) => `locked-${number}`);
    let waiting = true;
    const signUps = Promise.all(names.map((name) => timed(signUp(name)))).finally(() => {
      waiting = false;
    });
    for (const path of Array(5)
      .fill(["/livez", "/fragments/footer/DE", "/service/abtestfrontend/api/v1/gettestsat"])
      .flat()) {
      const { status, took } = await timed(ask(path));
      expect(status, path).toBe(200);
      expect(took, path).toBeLessThan(fast);
    }
    expect(waiting).toBe(true);
    for (const { status, took } of await signUps) {
      expect(status).toBe(503);
      expect(took).toBeLessThan(5 * second + fast);
    }
    other.exec("rollback");
    await untilItTakes("unlocked");
    expect(names.filter(isStored)).toEqual([]);
  });
});

describe("while the disk is full", () => {
  it("sign-ups get 503, and work again afterwards", async () => {
    await untilItTakes("before");
    const limit = (size: string) => execFileSync("prlimit", [`--pid=${service.pid}`, `--fsize=${size}:unlimited`]);
    limit("1");
    const names = [1, 2, 3, 4].map((number) => `full-${number}`);
    for (const name of names.slice(0, 3)) expect(await signUp(name)).toBe(503);
    const form = await submitForm("full-4");
    expect(form.status).toBe(503);
    expect(await form.text(), "in the visitor's language").toMatch(/role="alert".*aus technischen Gründen/s);
    for (const path of ["/livez", "/readyz", "/login", "/fragments/footer/DE", "/fragments/footer/AT.json"])
      expect(await ask(path), path).toBe(200);
    limit("unlimited");
    await untilItTakes("space");
    expect(names.filter(isStored)).toEqual([]);
  });
});

describe("the files of the store", () => {
  it("soon hold no token of a sent mail", async () => {
    expect(await signUp("mailed")).toBe(202);
    const mail = () => globSync(join(dataDir, "outbox/*.eml")).map((path) => readFileSync(path, "utf8"));
    const own = () => mail().find((text) => text.includes("mailed@shop.example"));
    await expect.poll(own, { timeout: recovery }).toBeDefined();
    const [, token = ""] = /token=(?:3D)?([\w-]{32})/.exec(own()?.replaceAll("=\r\n", "") ?? "") ?? [];
    expect(token).toHaveLength(32);
    const files = () => [file, `${file}-wal`].filter((path) => readFileSync(path).includes(token));
    await expect.poll(files, { timeout: 2 * recovery }).toEqual([]);
  });
});
