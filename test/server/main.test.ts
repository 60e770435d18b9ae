import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { load } from "cheerio";
import { sql } from "kysely";
import { SMTPServer } from "smtp-server";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import brand from "../../.github/shop/brand.json" with { type: "json" };
import { openStore } from "../../server/store/open-store.ts";
import { createVisitors } from "../faults/visitors.ts";
import { findFreePort } from "../support/find-free-port.ts";
import { productionVariables } from "../support/production-variables.ts";
import {
  builtService,
  onTerminal,
  type ServiceProcess,
  sendHalf,
  startProcess,
  stopProcesses,
} from "../support/start-process.ts";
import { sites, testLogger } from "../support/test-app.ts";
import { createStorePlace, openTestStore } from "../support/test-store.ts";
import { writeShop } from "../support/write-shop.ts";

/** Contract: after a signal the service accepts requests for 2 s, then its connections end within 15 s. */
const servesOn = 2_000;
const drainLimit = servesOn + 15_000;
/** Longer than resources take to close when no request is in progress. */
const slowAnswer = 3_000;
/** Allowance for a busy machine. */
const slack = 6_000;
/** Far more than a start takes. Several starts share the machine here. */
const startLimit = 20_000;
/** Timers may fire a moment early, and clocks of two processes differ. */
const early = 50;

afterAll(stopProcesses);

/** Starts a scenario that mostly waits, at once. The tests that look at it run later. */
function begin<T>(scenario: () => Promise<T>): Promise<T> {
  const outcome = scenario();
  outcome.catch(() => "reported by the tests that wait for it");
  return outcome;
}

/** Returns the status of an answer over a connection of its own; undefined if the connection is refused. */
async function ask(port: number, path: string): Promise<number | undefined> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { Connection: "close" } }).catch(
    () => undefined,
  );
  await response?.arrayBuffer();
  return response?.status;
}

/** Asks again and again until the answer is as it should be. */
const poll = (satisfied: () => Promise<boolean> | boolean, timeout: number) =>
  vi.waitUntil(satisfied, { timeout, interval: 20 });

/** The end of a process that must end within a time. */
async function endOf(service: ServiceProcess, limit: number) {
  const end = await Promise.race([service.ended, pause(limit, undefined, { ref: false })]);
  if (!end) service.signal("SIGKILL");
  return end;
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1").on("error", () => undefined);
  await once(socket, "connect");
  return socket;
}

const lines = (text: string) => text.split("\n").filter((line) => line !== "");

const drained = begin(async () => {
  const opsPort = await findFreePort();
  const service = startProcess({ OPS_PORT: String(opsPort) });
  const port = await service.port;
  const idle = await open(port);
  idle.write("GET /livez HTTP/1.1\r\nHost: de.localhost\r\n\r\n");
  await once(idle, "data");
  const unfinished = await sendHalf(port);
  let late = "";
  unfinished.on("data", (text) => {
    late += text;
  });
  const before = [await ask(port, "/readyz"), await ask(opsPort, "/readyz")];
  const metrics = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();
  const html = await (await fetch(`http://127.0.0.1:${port}/fragments/footer?site=DE`)).text();

  const signalled = performance.now();
  service.signal("SIGTERM");
  await poll(async () => (await ask(port, "/readyz")) === 503, slack);
  const notReadyAfter = performance.now() - signalled;
  const opsAfter = await ask(opsPort, "/readyz");
  const statuses = new Set<number>();
  await poll(async () => {
    const status = await ask(port, "/fragments/footer?site=DE");
    if (status !== undefined) statuses.add(status);
    return status === undefined;
  }, servesOn + slack);
  const servedFor = performance.now() - signalled;
  unfinished.write("mobile");
  const end = await endOf(service, drainLimit + slack);
  return {
    service,
    port,
    before,
    metrics,
    html,
    opsAfter,
    notReadyAfter,
    statuses,
    servedFor,
    late,
    end,
    took: (end?.at ?? 0) - signalled,
  };
});

const held = begin(async () => {
  const service = startProcess({});
  const port = await service.port;
  const sockets = [await sendHalf(port), await open(port), await open(port)];
  sockets[1]?.write("GET /fragments/footer?site=DE HTTP/1.1\r\nHost: de.loc");
  const signalled = performance.now();
  service.signal("SIGTERM");
  const end = await endOf(service, drainLimit + slack);
  for (const socket of sockets) socket.destroy();
  return { end, took: (end?.at ?? 0) - signalled };
});

describe("a failed start", () => {
  const other = createServer().listen(0, "127.0.0.1");
  afterAll(() => other.close());
  const takenPort = async () => {
    if (!other.listening) await once(other, "listening");
    return String((other.address() as AddressInfo).port);
  };
  const failures: [what: string, environment: () => Promise<Record<string, string>>, faults: RegExp[]][] = [
    [
      "both ports in use",
      async () => ({ PORT: await takenPort(), OPS_PORT: await takenPort() }),
      ["PORT", "OPS_PORT"].map(
        (name) => new RegExp(`^environment: .*127\\.0\\.0\\.1:\\d+ \\(EADDRINUSE\\).* ${name}=\\d+ npm start$`),
      ),
    ],
    [
      "a database that doesn't answer",
      async () => ({ DATABASE_URL: `postgres://shop:secret@127.0.0.1:${await findFreePort()}/shop` }),
      [/^store: can't open PostgreSQL at 127\.0\.0\.1:\d+ \((?!.*secret).*ECONNREFUSED.*\)$/],
    ],
    [
      "in production, with five faults of environment, settings and shop",
      async () => ({
        ...productionVariables,
        PORT: "abc",
        DEMO: "on",
        UPSTREAM_PREVEW_URL: "http://p.internal",
        UPSTREAM_LOGIN_URL: "https://login.internal",
        SHOP_DIR: await writeShop({ "brand.json": { ...brand, nam: "Shop" } }),
      }),
      [
        /^environment: PORT must be integer$/,
        /^environment: DEMO must be off/,
        /^environment: UPSTREAM_CUSTOMER_URL must name a real service beside UPSTREAM_LOGIN_URL/,
        /^environment: UPSTREAM_PREVEW_URL is not known: rename it to UPSTREAM_PREVIEW_URL/,
        /^brand\.json \/nam is not known \(line 1\)$/,
      ],
    ],
  ];

  it.each(failures)(
    "exits with 1, and prints one line per fault without a stack: %s",
    async (_what, environment, faults) => {
      const service = startProcess(await environment());
      const end = await endOf(service, startLimit);
      const said = lines(service.stderr());
      expect(said).toEqual(expect.arrayContaining(faults.map((fault) => expect.stringMatching(fault))));
      expect(said).toHaveLength(faults.length);
      expect(service.stdout()).not.toContain('"msg":"listening"');
      expect(end, "ended in time").toMatchObject({ code: 1, signal: null });
    },
  );
});

describe("a start", () => {
  it("prints the addresses to open in plain letters, serves them, and links to where it really listens", async () => {
    const { service, port, html } = await drained;
    const printed = lines(service.stdout());
    for (const { localHost } of sites)
      expect(printed).toContainEqual(expect.stringMatching(new RegExp(`^Shop +http://${localHost}:${port}/$`)));
    expect(service.stderr()).toBe("");
    const $ = load(html);
    const links = $("[data-code]").map((_index, link) => $(link).attr("href"));
    expect(links.get().sort()).toEqual(sites.map(({ localHost }) => `http://${localHost}:${port}/`).sort());
  });

  it.each([
    ["", builtService],
    [", even on a terminal", onTerminal],
  ])("in production prints JSON lines alone, and links to the public origins%s", async (_where, command) => {
    const service = startProcess({ ...productionVariables, SITE_ORIGIN_AT: "https://www.shop.internal" }, command);
    const port = await service.port;
    const text = await (await fetch(`http://127.0.0.1:${port}/fragments/footer?site=DE`)).text();
    expect(text).toContain('href="https://www.shop.internal/"');
    expect(text).not.toContain(".localhost");
    service.signal("SIGKILL");
    await service.ended;
    const said = lines(service.stdout()).map((line) => JSON.parse(line));
    for (const line of said) expect(line).toHaveProperty("msg");
    expect(service.stderr()).toBe("");
    expect(said.filter(({ level }) => level >= 40)).toEqual([]);
    expect(said).toContainEqual(
      expect.objectContaining({
        msg: "configuration",
        settings: expect.objectContaining({ DEMO: "off", TRUST_PROXY: productionVariables.TRUST_PROXY }),
        set: expect.arrayContaining(["NODE_ENV", "TRUST_PROXY"]),
      }),
    );
  });

  it("serves metrics to operators on their own port", async () => {
    const { metrics } = await drained;
    expect(metrics).toMatch(/^service_ready 1$/m);
    expect(metrics).toMatch(/^build_info\{version="\d+\.\d+\.\d+",build="\w+",node="26\.[\d.]+"\} 1$/m);
  });
});

describe("SIGTERM", () => {
  it("makes the service unready at once, on both listeners", async () => {
    const { before, notReadyAfter, opsAfter } = await drained;
    expect(before).toEqual([200, 200]);
    expect(notReadyAfter).toBeLessThan(1_500);
    expect(opsAfter).toBe(503);
  });

  it("lets it answer every request for two more seconds, and end those that had begun", async () => {
    const { statuses, servedFor, late } = await drained;
    expect([...statuses]).toEqual([200]);
    expect(servedFor).toBeGreaterThan(servesOn - early);
    expect(servedFor).toBeLessThan(servesOn + slack);
    expect(late).toMatch(/^HTTP\/1\.1 303 .*^Connection: close\r$/ms);
  });

  it("ends it with 0 as soon as nothing is under way, idle connections or not", async () => {
    const { end, took } = await drained;
    expect(end).toMatchObject({ code: 0, signal: null });
    expect(took).toBeGreaterThan(servesOn - early);
    expect(took).toBeLessThan(servesOn + slack);
  });

  it("waits for a mail that is being sent, and stores that it was sent", async () => {
    const { dataDir } = await createStorePlace();
    const given = Promise.withResolvers<void>();
    const take = Promise.withResolvers<void>();
    const mailServer = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      disableReverseLookup: true,
      logger: false,
      onData(stream, _session, done) {
        stream.resume().on("end", given.resolve);
        void take.promise.then(() => done());
      },
    });
    const listener = mailServer.listen(0, "127.0.0.1");
    onTestFinished(() => void mailServer.close());
    await once(listener, "listening");
    const mailPort = (listener.address() as AddressInfo).port;

    const service = startProcess({ DATA_DIR: dataDir, SMTP_URL: `smtp://127.0.0.1:${mailPort}` });
    const port = await service.port;
    expect(await createVisitors().signUp(port)).toBe(true);
    await given.promise;
    service.signal("SIGTERM");
    await poll(async () => (await ask(port, "/livez")) === undefined, servesOn + slack);
    await pause(slowAnswer);
    take.resolve();
    expect(await endOf(service, drainLimit + slack)).toMatchObject({ code: 0, signal: null });
    const { db } = await openTestStore(testLogger, { databaseUrl: undefined, dataDir });
    const mails = await db.selectFrom("mailOutbox").select(["state", "attempts"]).execute();
    expect(mails).toEqual([{ state: "sent", attempts: 1 }]);
  });

  it("ends it at the drain limit, whatever requests clients leave unfinished", async () => {
    const { end, took } = await held;
    expect(end).toMatchObject({ code: 0, signal: null });
    expect(took).toBeGreaterThan(servesOn - early);
    expect(took).toBeLessThan(drainLimit + slack);
  });
});

describe("a second signal", () => {
  it("within a second is ignored: the service keeps draining", async () => {
    const service = startProcess({});
    await service.port;
    const signalled = performance.now();
    service.signal("SIGINT");
    service.signal("SIGTERM");
    const end = await endOf(service, drainLimit + slack);
    expect(end).toMatchObject({ code: 0, signal: null });
    expect((end?.at ?? 0) - signalled).toBeGreaterThan(servesOn - early);
    expect(service.stdout()).toContain('"the service has drained"');
  });

  it("after more than a second ends it at once, whatever is under way", async () => {
    const service = startProcess({});
    // Keeps the service draining until its limit.
    const socket = await sendHalf(await service.port);
    onTestFinished(() => void socket.destroy());
    service.signal("SIGTERM");
    await poll(() => service.stdout().includes('"draining"'), slack);
    await pause(1_100);
    service.signal("SIGTERM");
    expect(await endOf(service, drainLimit + slack)).toMatchObject({ code: 0, signal: null });
    expect(service.stdout()).toContain('"the service stopped at once"');
    expect(service.stdout()).not.toContain('"the service has drained"');
  });
});

describe("the start", () => {
  it("answers 503 until the store is open, without naming its framework", async () => {
    const silentDatabase = createServer().listen(0, "127.0.0.1");
    await once(silentDatabase, "listening");
    onTestFinished(() => void silentDatabase.close());
    const [port, { port: silent }] = [await findFreePort(), silentDatabase.address() as AddressInfo];
    const service = startProcess({ PORT: String(port), DATABASE_URL: `postgres://shop:shop@127.0.0.1:${silent}/shop` });
    await poll(async () => (await ask(port, "/livez")) === 200, slack);
    const { status, headers } = await fetch(`http://127.0.0.1:${port}/fragments/footer/DE`);
    service.signal("SIGKILL");
    expect([status, headers.get("retry-after"), headers.get("x-powered-by")]).toEqual([503, "1", null]);
  });
});

describe("the data folder", () => {
  it("can be opened by two processes at once, and is intact after they have ended", async () => {
    const { dataDir } = await createStorePlace();
    const services = [startProcess({ DATA_DIR: dataDir }), startProcess({ DATA_DIR: dataDir })];
    await Promise.all(services.map(({ port }) => port));
    for (const service of services) service.signal("SIGTERM");
    for (const service of services) expect(await endOf(service, drainLimit + slack)).toMatchObject({ code: 0 });
    // Two processes that end at the same time may leave a journal, which the next process that opens the file replays.
    const { db, close } = await openStore({ databaseUrl: undefined, dataDir, logger: testLogger });
    expect((await sql`pragma integrity_check`.execute(db)).rows).toEqual([{ integrityCheck: "ok" }]);
    await close();
    expect((await readdir(dataDir)).sort(), "no journal is left to be worked in").toEqual([
      "secret.key",
      "storefront.sqlite",
    ]);
  });
});
