import { Writable } from "node:stream";
import { createProgram } from "../../server/commands/run-command-line.ts";
import { readEnv } from "../../server/config/env.ts";
import { createAudit } from "../../server/store/audit-events.ts";
import { createOutput } from "../../server/store/command.ts";
import type { Store } from "../../server/store/open-store.ts";
import { sites, testLogger } from "./test-app.ts";
import { testKeys } from "./test-store.ts";

/** A stream that collects what is written to it. */
export function collect() {
  const written: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      written.push(String(chunk));
      done();
    },
  });
  return { stream, written };
}

/**
 * Runs an operators' command on a store in this process.
 * @param variables - its environment
 * @returns its output
 */
export async function runOnStore(
  store: Store,
  words: readonly string[],
  json = false,
  variables: Record<string, string> = {},
): Promise<string> {
  const { stream, written } = collect();
  const output = createOutput(stream, json);
  const openStore = async () => store;
  const context = {
    audit: createAudit(testKeys, "tester"),
    env: readEnv(variables),
    keys: testKeys,
    logger: testLogger,
    output,
    openStore,
    loadSites: async () => sites,
  };
  const program = createProgram(
    (work) =>
      (...args) =>
        work(context, ...args),
  );
  await program.parseAsync(words, { from: "user" });
  return written.join("");
}
