import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort } from "./find-free-port.ts";
import type { StorePlace } from "./test-store.ts";

/** Returns the command that starts a built service, as `npm start` and the image do. */
export const serviceIn = (dist: string) =>
  [process.execPath, "--max-semi-space-size=8", "--expose-gc", `${dist}/server/main.js`] as const;
export const builtService = serviceIn("dist");
/** The same on a terminal, which a program of every Debian provides. */
export const onTerminal = ["script", "-qefc", builtService.join(" "), "/dev/null"] as const;

export interface ServiceProcess {
  pid: number | undefined;
  /** Returns the output so far. */
  stdout(): string;
  stderr(): string;
  /** Port of the main listener, read from the log. */
  port: Promise<number>;
  /** Sends a signal; nothing happens once the process has ended. */
  signal(name: NodeJS.Signals): void;
  /** Resolves with the exit code or signal, and the time on the clock of `performance`. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; at: number }>;
}

const running = new Set<ServiceProcess>();
/** Processes that share a database need the same secret, but share no data folder. */
const secretKey = randomBytes(32).toString("base64url");

/**
 * Starts the service as it was built, on free ports and with a fresh data folder unless they are given.
 * @param environment - all its variables: nothing is inherited
 * @param command - what starts it, with its arguments
 * @param cwd - the folder in which it is started
 */
export function startProcess(
  environment: Record<string, string>,
  [program, ...words]: readonly [string, ...string[]] = builtService,
  cwd = process.cwd(),
): ServiceProcess {
  const dataDir = mkdtempSync(join(tmpdir(), "process-"));
  const { DATABASE_URL } = environment;
  const keys = DATABASE_URL ? { SECRET_KEY: secretKey } : undefined;
  const child = spawn(program, words, {
    cwd,
    env: { PORT: "0", OPS_PORT: "0", DATA_DIR: dataDir, ...keys, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  const listening = Promise.withResolvers<number>();
  let isListening = false;
  child.stdout.setEncoding("utf8").on("data", (text) => {
    stdout += text;
    // A proof's log has a hundred thousand lines: search only until the line has come.
    if (isListening) return;
    const line = stdout.split("\n").find((written) => written.includes('"msg":"listening"'));
    if (!line) return;
    isListening = true;
    listening.resolve(JSON.parse(line).port);
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  listening.promise.catch(() => undefined);

  const service: ServiceProcess = {
    pid: child.pid,
    stdout: () => stdout,
    stderr: () => stderr,
    port: listening.promise,
    signal: (name) => child.kill(name),
    ended: once(child, "exit").then(async ([code, signal]) => {
      const at = performance.now();
      running.delete(service);
      if (!child.stdout.closed || !child.stderr.closed) await once(child, "close");
      rmSync(dataDir, { recursive: true });
      listening.reject(new Error(`the service ended with ${code ?? signal}: ${stderr}`));
      return { code, signal, at };
    }),
  };
  running.add(service);
  return service;
}

export interface Replica extends Omit<ServiceProcess, "port"> {
  port: number;
  /** Origin of the listener for shoppers. */
  origin: string;
  /** Returns the metrics of the operators' listener. */
  metrics(): Promise<string>;
  /** Whether the operators' listener answers that the service is ready. */
  isReady(): Promise<boolean>;
  /** Sends SIGTERM and waits for the end. */
  stop(): Promise<void>;
  /** Sends SIGKILL and waits for the end. */
  kill(): Promise<void>;
}

/** Returns the variables of a service on a store that may already exist. */
export function onStore({ databaseUrl, dataDir }: StorePlace) {
  return { DATA_DIR: dataDir, DATABASE_URL: databaseUrl };
}

/**
 * Starts the built service without its demo, behind a proxy on this machine. Its mails become files, which production
 * refuses.
 * @param environment - what differs from that
 * @param dist - the folder of the build to start
 * @returns the service, once it is ready
 */
export async function startReplica(
  environment: Record<string, string | undefined> = {},
  dist = "dist",
): Promise<Replica> {
  const opsPort = await findFreePort();
  const shared = { DEMO: "off", HOST: "127.0.0.1", TRUST_PROXY: "127.0.0.1", OPS_PORT: String(opsPort) };
  const set = Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const service = startProcess({ ...shared, ...Object.fromEntries(set) }, serviceIn(dist));
  const port = await service.port;
  const ops = (path: string) => fetch(`http://127.0.0.1:${opsPort}${path}`);
  return {
    ...service,
    port,
    origin: `http://127.0.0.1:${port}`,
    metrics: async () => (await ops("/metrics")).text(),
    isReady: async () => (await ops("/readyz").catch(() => undefined))?.ok ?? false,
    async stop() {
      service.signal("SIGTERM");
      await service.ended;
    },
    async kill() {
      service.signal("SIGKILL");
      await service.ended;
    },
  };
}

/** Ends whatever tests have left running. */
export function stopProcesses(): void {
  for (const service of running) service.signal("SIGKILL");
}

/** Opens a client that never finishes its request. */
export async function sendHalf(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1").on("error", () => undefined);
  await once(socket, "connect");
  socket
    .setEncoding("utf8")
    .write(
      "POST /view HTTP/1.1\r\nHost: de.localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 11\r\n\r\nview=",
    );
  return socket;
}
