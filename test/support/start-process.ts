import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtService } from "./built-service.ts";

export interface ServiceProcess {
  pid: number | undefined;
  /** What the process has written so far. */
  stdout(): string;
  stderr(): string;
  /** Port of the main listener, as the process says it. */
  port: Promise<number>;
  /** Sends a signal; nothing happens once the process has ended. */
  signal(name: NodeJS.Signals): void;
  /** How the process ended, and when, on the clock of `performance`. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; at: number }>;
}

const running = new Set<ServiceProcess>();
/** Processes on one database need the same key, which they have no common folder for. */
const keyEncryptionKey = randomBytes(32).toString("base64url");

/**
 * Starts the service as it was built, on free ports and with a fresh data folder unless they are given.
 * @param environment - all its variables: it inherits none
 * @param command - what starts it, with its arguments
 * @param cwd - the folder in which it is started
 */
export function startProcess(
  environment: Record<string, string>,
  [program, ...words]: readonly [string, ...string[]] = builtService,
  cwd = process.cwd(),
): ServiceProcess {
  const dataDir = mkdtempSync(join(tmpdir(), "process-"));
  const { DATABASE_URL, DATA_DIR } = environment;
  const keys = DATABASE_URL && !DATA_DIR ? { KEY_ENCRYPTION_KEY: keyEncryptionKey } : undefined;
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
    // Not looked for again, as a proof's log has a hundred thousand lines.
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

/** Ends whatever tests have left running. */
export function stopProcesses(): void {
  for (const service of running) service.signal("SIGKILL");
}
