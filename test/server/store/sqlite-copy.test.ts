import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { decodeJwt, type JWTPayload, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadSecretKeys } from "../../../server/platform/secret-keys.ts";
import { startProcess, stopProcesses } from "../../support/start-process.ts";
import { createStorePlace } from "../../support/test-store.ts";

const password = "open sesame";
/** Networks of visitors, as they send them, and as the service writes them if it shortens them. */
const addresses = ["203.0.113.77", "2001:db8:4d4d:7::1"];
const traces = [...addresses, "32.1.13.184.77.77"];

const { dataDir } = await createStorePlace();
const service = startProcess({ DATA_DIR: dataDir, DEMO_PASSWORD: password, TRUST_PROXY: "127.0.0.1" });
afterAll(stopProcesses);

const call = async (path: string, { body, ...headers }: { body?: object; [name: string]: unknown } = {}) =>
  fetch(`http://127.0.0.1:${await service.port}/service${path}`, {
    headers: {
      "Content-Type": "application/json",
      "X-hunter-csrf": "1",
      "Sec-Fetch-Site": "same-origin",
      ...(headers as Record<string, string>),
    },
    ...(body && { method: "POST", body: JSON.stringify(body) }),
  });

/** The credential of a customer who has signed in before the copy is made. */
let login: string;
let tables: Record<string, Record<string, unknown>[]>;

beforeAll(async () => {
  const from = { "X-Forwarded-For": addresses[0] };
  const signedIn = await call("/login/api/v1/login", { ...from, body: { email: "demo@example.com", password } });
  login =
    /login=([^;]+)/.exec(signedIn.headers.getSetCookie().find((text) => text.startsWith("login=")) ?? "")?.[1] ?? "";
  for (const address of addresses) {
    const visitor = { "X-Forwarded-For": address, "X-Site": "DE" };
    const signUp = { ...visitor, body: { email: "ada@shop.example" } };
    expect((await call("/newsletter/api/internal/newsletter-subscribers", signUp)).status).toBe(202);
    const wrong = { ...visitor, body: { email: "demo@example.com", password: "wrong password" } };
    expect((await call("/login/api/v1/login", wrong)).status).toBe(401);
  }
  const copy = new DatabaseSync(join(dataDir, "storefront.sqlite"), { readOnly: true });
  const names = copy.prepare("select name from sqlite_schema where type = 'table'").all();
  tables = Object.fromEntries(names.map(({ name }) => [name, copy.prepare(`select * from "${name}"`).all()]));
  copy.close();
});

/** Whether a token signed with a key is accepted. It has the claims of a real one, with some changes. */
async function isLetIn(key: Uint8Array, claims: JWTPayload): Promise<boolean> {
  const payload = { ...decodeJwt(login), ...claims };
  const token = await new SignJWT(payload).setProtectedHeader({ alg: "HS256", typ: "login+jwt" }).sign(key);
  return (await call("/newsletter/api/private/customers/base-data", { Cookie: `login=${token}` })).status === 200;
}

describe("a copy of the database", () => {
  it("isn't enough even with the secret, as sessions are hashed", async () => {
    const keys = loadSecretKeys({ dataDir, secretKey: undefined, secretKeyFile: undefined });
    const key = keys.signing("tokens for storefront");
    expect(await isLetIn(key, {})).toBe(true);
    const sessions = (tables.session ?? []).map(({ id }) => String(id));
    expect(sessions).toHaveLength(1);
    for (const sid of sessions) expect(await isLetIn(key, { sid })).toBe(false);
  });

  it("names no network, nor do the files beside it, readable for their own user only", async () => {
    const names = await readdir(dataDir, { recursive: true, withFileTypes: true });
    const files = names.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    expect(files.map((file) => file.slice(dataDir.length + 1))).toEqual(
      expect.arrayContaining(["secret.key", "storefront.sqlite", "storefront.sqlite-wal"]),
    );
    for (const file of files) {
      const content = await readFile(file, "latin1");
      for (const trace of traces) expect(content.includes(trace), `${trace} in ${file}`).toBe(false);
      expect((await stat(file)).mode & 0o777, file).toBe(0o600);
    }
    expect(tables.rate_limit?.length).toBeGreaterThan(0);
  });
});
