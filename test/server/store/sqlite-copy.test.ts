import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { decodeJwt, type JWTPayload, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadSecretKeys } from "../../../server/platform/secret-keys.ts";
import { startProcess, stopProcesses } from "../../support/start-process.ts";
import { createStorePlace } from "../../support/test-store.ts";

const password = "open sesame";
/** Networks of visitors, as they send them, and as the service writes them where it shortens them. */
const addresses = ["203.0.113.77", "2001:db8:4d4d:7::1"];
const traces = [...addresses, "32.1.13.184.77.77"];

const { dataDir } = await createStorePlace();
const service = startProcess({ DATA_DIR: dataDir, DEMO_PASSWORD: password, TRUST_PROXY: "127.0.0.1" });
afterAll(stopProcesses);

const call = async (path: string, { body, ...headers }: { body?: object; [name: string]: unknown } = {}) =>
  fetch(`http://127.0.0.1:${await service.port}/service${path}`, {
    headers: {
      ...{ "Content-Type": "application/json", "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-origin" },
      ...(headers as Record<string, string>),
    },
    ...(body && { method: "POST", body: JSON.stringify(body) }),
  });
const cookiesOf = (answer: Response) =>
  Object.fromEntries(answer.headers.getSetCookie().map((text) => (text.split(";", 1)[0] ?? "").split("=", 2)));

/** What the browser of somebody who is signed in has, before the copy is made. */
let customer: Record<string, string>;
let staff: Record<string, string>;
let tables: Record<string, Record<string, unknown>[]>;

beforeAll(async () => {
  const from = { "X-Forwarded-For": addresses[0] };
  customer = cookiesOf(await call("/login/api/v1/login", { ...from, body: { email: "demo@example.com", password } }));
  staff = cookiesOf(await call("/preview/api/auth/login", { ...from, body: { user: "staff@example.com", password } }));
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

/** The cookies of customers and staff, and a call that needs them. */
const gates = {
  customer: { path: "/newsletter/api/private/customers/base-data", types: { login: "login+jwt" } },
  staff: { path: "/preview/api/auth/checkauth", types: { StaffAuthToken: "staff+jwt", CobraAuthToken: "cobra+jwt" } },
};

/** Whether tokens signed with a key are accepted, with the claims of a real one and some changes. */
async function isLetIn(gate: keyof typeof gates, key: Uint8Array, claims: JWTPayload): Promise<boolean> {
  const { path, types } = gates[gate];
  const real: Record<string, string> = { ...customer, ...staff };
  const cookies = await Promise.all(
    Object.entries(types).map(async ([name, typ]) => {
      const payload = { ...decodeJwt(real[name] ?? ""), ...claims };
      return `${name}=${await new SignJWT(payload).setProtectedHeader({ alg: "HS256", typ }).sign(key)}`;
    }),
  );
  return (await call(path, { Cookie: cookies.join("; ") })).status === 200;
}

describe("a copy of the database", () => {
  const sessions = () => (tables.session ?? []).map(({ id }) => String(id));

  it.each(["customer", "staff"] as const)(
    "isn't enough even with the secret, for the %s, as sessions are hashed",
    async (gate) => {
      const keys = loadSecretKeys({ dataDir, secretKey: undefined, secretKeyFile: undefined });
      const key = keys.signing(`tokens for ${gate === "customer" ? "storefront" : "storefront-staff"}`);
      expect(await isLetIn(gate, key, {})).toBe(true);
      expect(sessions()).toHaveLength(2);
      for (const sid of sessions()) expect(await isLetIn(gate, key, { sid })).toBe(false);
    },
  );

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
