import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { watch } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { inspect, styleText } from "node:util";
import type { Milliseconds } from "../../../client/rules/time.ts";
import { checkEnv } from "../../config/env.ts";
import { listAllowedHosts } from "../../http/allowed-hosts.ts";
import { StartError } from "../../platform/errors.ts";
import { root } from "../../platform/paths.ts";
import { checkPorts } from "../../process/ports.ts";
import { type Answering, createFront } from "./front.ts";
import { excerptFaults } from "./source-excerpt.ts";

/** A folder, and the rule for which of its files are watched. */
interface Watched {
  folder: string;
  /**
   * Whether a file is watched.
   * @param path - relative to the folder
   */
  counts(path: string): boolean;
}

interface DevOptions {
  /** The path of the built server/commands/dev/main.js. */
  program: string;
  /** Returns the variables of the service, some of which may come from a watched file. */
  variables(): NodeJS.ProcessEnv;
  watched: readonly Watched[];
  /**
   * Prepares the files that the service loads.
   * @param files - the changed ones; none at the start
   * @returns whether the service needs a new process
   * @throws StartError naming what can't be built
   */
  prepare(files: readonly string[]): Promise<boolean>;
}

const mostFaults = 20;
/** Editors save in several steps, such as writing another file and renaming it. */
const quiet: Milliseconds = 40;

/**
 * Runs the service, and shows each saved change in the open browser. A changed shop is loaded again by the running
 * process; changed code and variables need a new process. Faults are shown until they are corrected.
 * @throws StartError if the system refuses a port
 */
export async function develop({ program, variables, watched, prepare }: DevOptions): Promise<void> {
  const { env } = checkEnv(variables());
  await checkPorts(env);
  const front = createFront(listAllowedHosts(env, []));
  front.server.listen(env.port, env.host);
  await once(front.server, "listening");
  const address = front.server.address();
  const port = typeof address === "object" && address ? address.port : env.port;

  let service: ChildProcess | undefined;
  let shown: Answering | undefined;
  let isAnnounced = false;
  let onReport = show;
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit());
  process.on("exit", () => service?.kill("SIGKILL"));
  watchFiles(watched, front.hold, async (files) => {
    const startedAt = performance.now();
    await update(files);
    const took = Math.round(performance.now() - startedAt);
    if (files.length > 0 && shown && "port" in shown)
      process.stdout.write(`${styleText("dim", `reloaded in ${took} ms: ${files.join(", ")}`)}\n`);
  });

  async function update(files: readonly string[]): Promise<void> {
    front.hold();
    try {
      const needsProcess = await prepare(files);
      await front.idle();
      show(await load(needsProcess));
    } catch (error) {
      show({ faults: error instanceof StartError ? error.faults : [inspect(error)] });
    }
  }

  /** Makes the service load the shop. Resolves with its report. */
  async function load(needsProcess: boolean): Promise<Answering> {
    const { promise, resolve } = Promise.withResolvers<Answering>();
    if (needsProcess) await end();
    onReport = resolve;
    if (service) service.send("load");
    else service = start();
    const answering = await promise;
    onReport = show;
    return answering;
  }

  function start(): ChildProcess {
    const words = [String(port), ...(isAnnounced ? ["quiet"] : [])];
    const child = fork(program, words, { env: variables(), execArgv: ["--max-semi-space-size=8"] });
    child.on("message", (answering: Answering) => onReport(answering));
    child.on("exit", () => {
      if (service !== child) return;
      service = undefined;
      // The process itself has reported a crash.
      if (onReport !== show || (shown && "port" in shown)) onReport({ faults: ["The service has ended."] });
    });
    return child;
  }

  async function end(): Promise<void> {
    const child = service;
    service = undefined;
    if (child?.kill("SIGKILL")) await once(child, "exit");
  }

  function show(answering: Answering): void {
    shown = answering;
    if ("port" in answering) {
      isAnnounced = true;
      front.show(answering);
      return;
    }
    const faults = shorten(answering.faults);
    front.show({ faults: excerptFaults(faults, [checkEnv(variables()).env.shopFolder.own ?? root, root]) });
    process.stderr.write(`${faults.join("\n")}\n`);
  }
}

/**
 * Watches files until the process ends.
 * @param onSave - called at the first sign of a change
 * @param apply - called at once, and again with the paths of all changes when there have been none for a moment; calls
 * never overlap
 */
function watchFiles(watched: readonly Watched[], onSave: () => void, apply: (files: string[]) => Promise<void>) {
  const changed = new Set<string>();
  let isApplying = false;
  for (const { folder, counts } of watched)
    watch(folder, { recursive: true, ignore: (path) => !counts(path) }, (_event, path) => {
      if (path === null || !counts(path)) return;
      changed.add(path);
      onSave();
      if (!isApplying) void applyAll();
    });
  void applyAll();

  async function applyAll() {
    isApplying = true;
    do {
      for (let before = -1; before < changed.size; await pause(quiet)) before = changed.size;
      const files = [...changed];
      changed.clear();
      await apply(files);
    } while (changed.size > 0);
    isApplying = false;
  }
}

/** Most faults have one cause, such as a file that can't be read. */
function shorten(faults: readonly string[]): string[] {
  const all = [...new Set(faults)];
  return all.length > mostFaults ? [...all.slice(0, mostFaults), `… and ${all.length - mostFaults} more`] : all;
}
