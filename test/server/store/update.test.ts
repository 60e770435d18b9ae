import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import PostalMime from "postal-mime";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { minute } from "../../../client/rules/time.ts";
import { sourceFiles, sourceFolders } from "../../../deploy/build/build-id.ts";
import packageJson from "../../../package.json" with { type: "json" };
import { type Jar, keep } from "../../support/login-test.ts";
import { onStore, type Replica, startReplica, stopProcesses } from "../../support/start-process.ts";
import { createStorePlace } from "../../support/test-store.ts";

vi.setConfig({ testTimeout: minute, hookTimeout: minute });

const password = "correct horse battery staple";

/** A checkout of a later release, which adds a column. */
const later = await mkdtemp(join(tmpdir(), "later-release-"));
const laterVersion = "99.0.0";
const migration = `import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql\`alter table newsletter_subscription add column city text not null default 'unknown'\`.execute(db);
}
`;

beforeAll(async () => {
  for (const path of [...sourceFolders, ...sourceFiles]) await cp(path, join(later, path), { recursive: true });
  await symlink(resolve("node_modules"), join(later, "node_modules"));
  await writeFile(join(later, "package.json"), JSON.stringify({ ...packageJson, version: laterVersion }));
  await writeFile(join(later, "server/store/migrations/9999-city.ts"), migration);
  await promisify(execFile)(process.execPath, ["build.mjs"], { cwd: later });
});

afterAll(async () => {
  stopProcesses();
  await rm(later, { recursive: true });
});

/** Opens a browser, which keeps its cookies while the service is replaced. */
function openBrowser() {
  let jar: Jar = {};
  return async ({ origin }: Replica, method: "POST" | "PUT", path: string, body = {}) => {
    const Cookie = Object.entries(jar)
      .map((pair) => pair.join("="))
      .join("; ");
    const headers = { "Content-Type": "application/json", "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-origin" };
    const answer = await fetch(`${origin}/service/${path}`, {
      method,
      headers: { ...headers, "X-Site": "DE", Cookie },
      body: JSON.stringify(body),
    });
    jar = keep(jar, answer.headers.getSetCookie());
    return answer.status;
  };
}

/** Returns the token of the confirmation link in the email to an address. */
async function findToken(outbox: string, email: string) {
  for (const file of await readdir(outbox)) {
    const { to, text } = await PostalMime.parse(await readFile(join(outbox, file)));
    const [, token] = /confirm\?token=(\S+)/.exec(text ?? "") ?? [];
    if (token && to?.some(({ address }) => address === email)) return token;
  }
  throw new Error(`no confirmation was sent to ${email}`);
}

const subscribers = "newsletter/api/internal/newsletter-subscribers";

it("sessions, links in emails and subscriptions outlast an update, and the way back", async () => {
  const place = await createStorePlace();
  const start = (dist?: string) => startReplica({ ...onStore(place), DEMO: "on", DEMO_PASSWORD: password }, dist);
  const [customer, staff, visitor] = [openBrowser(), openBrowser(), openBrowser()];
  const tokens: string[] = [];
  const signUp = async (service: Replica) => {
    const email = `visitor-${tokens.length}@shop.example`;
    expect(await visitor(service, "POST", subscribers, { email })).toBe(202);
    tokens.push(await vi.waitFor(() => findToken(join(place.dataDir, "outbox"), email), 10_000));
  };
  const statuses = (service: Replica) =>
    Promise.all(tokens.map(async (token) => (await fetch(`${service.origin}/service/${subscribers}/${token}`)).json()));

  let running = await start();
  expect(await customer(running, "POST", "login/api/v1/login", { email: "demo@example.com", password })).toBe(200);
  expect(await staff(running, "POST", "preview/api/auth/login", { user: "staff@example.com", password })).toBe(200);
  await signUp(running);
  const builds = [
    { version: laterVersion, dist: join(later, "dist") },
    { version: packageJson.version, dist: "dist" },
  ];
  for (const { version, dist } of builds) {
    const started = await start(dist);
    expect(await started.metrics()).toContain(`build_info{version="${version}",`);
    // While replicas are replaced, both versions answer.
    for (const service of [running, started]) {
      expect(await customer(service, "POST", "login/api/v1/logintoken/renew")).toBe(201);
      expect(await staff(service, "POST", "preview/api/auth/login/renew")).toBe(200);
      expect(await visitor(service, "PUT", `${subscribers}/${tokens.at(-1)}/doi`)).toBe(200);
      expect(await statuses(service)).toEqual(tokens.map(() => expect.objectContaining({ status: "SUBSCRIBED" })));
      await signUp(service);
    }
    await running.stop();
    running = started;
  }
  expect(tokens).toHaveLength(5);
});
