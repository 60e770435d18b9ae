import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { findFreePort } from "../../support/find-free-port.ts";
import { newAddress } from "../../support/new-address.ts";
import { type ServiceProcess, startProcess, stopProcesses } from "../../support/start-process.ts";
import { createStorePlace } from "../../support/test-store.ts";

const password = "open sesame";
const ours = { "Content-Type": "application/json", "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-origin" };

/** How customers and staff sign in. */
const kinds = [
  { path: "/service/login/api/v1/login", field: "email", owner: "demo@example.com", limit: "login-minute" },
  { path: "/service/preview/api/auth/login", field: "user", owner: "staff@example.com", limit: "staff-minute" },
] as const;

let service: ServiceProcess;
let origin = "";
const opsPort = await findFreePort();

beforeAll(async () => {
  const { dataDir, databaseUrl } = await createStorePlace();
  const database = databaseUrl === undefined ? undefined : { DATABASE_URL: databaseUrl };
  service = startProcess({
    ...{ DATA_DIR: dataDir, ...database, DEMO_PASSWORD: password, TRUST_PROXY: "127.0.0.1/32" },
    OPS_PORT: String(opsPort),
  });
  origin = `http://127.0.0.1:${await service.port}`;
});

afterAll(stopProcesses);

describe.each(kinds)("$path", ({ path, field, owner, limit }) => {
  /** Tries a password as a browser in a network does. */
  function tryAs(name: string, password: string, network = newAddress(), cookies = "") {
    return fetch(`${origin}${path}`, {
      method: "POST",
      headers: { ...ours, "X-Forwarded-For": network, Cookie: cookies },
      body: JSON.stringify({ [field]: name, password }),
    });
  }

  it("locks an account after wrong passwords, but not for its trusted devices", async () => {
    const signedIn = await tryAs(owner, password);
    expect(signedIn.status).toBe(200);
    const device = signedIn.headers.getSetCookie().find((cookie) => cookie.startsWith("Known"));
    expect(device).toMatch(/^Known(Staff)?Device=[\w.-]+; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/);
    for (let i = 0; i < 5; i++) expect((await tryAs(owner, "a guess")).status).toBe(401);
    const networks = [newAddress(), newAddress()] as const;
    const there = tryAs(owner, password, networks[0], device);
    const elsewhere = tryAs(owner, password, networks[1]);
    expect([(await there).status, (await elsewhere).status]).toEqual([200, 429]);
  });

  it("limits parallel attempts of a network", async () => {
    const network = newAddress();
    const tries = Array.from({ length: 120 }, (_, i) => tryAs(`nobody-${i}@example.com`, "a guess", network));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(30);
    expect((await tryAs(owner, password, network)).status).toBe(429);

    const met = `"event":"excess_rate_limit_exceeded","limit":"${limit}"`;
    await vi.waitFor(() => expect(service.stdout().split(met)).toHaveLength(2));
    expect(service.stdout()).not.toContain(network);
    const metrics = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();
    expect(metrics).toContain(`security_events_total{event="excess_rate_limit_exceeded",limit="${limit}"} 1\n`);
  });
});
