import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type StorePlace, testSecret } from "./test-store.ts";

export interface CommandEnd {
  code: number;
  stdout: string;
  stderr: string;
}

/** The variables of a command that works on a store of the tests. */
export function storeVariables({ dataDir, databaseUrl }: StorePlace): Record<string, string> {
  const database = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl };
  return { DATA_DIR: dataDir, SECRET_KEY: testSecret.toString("base64"), ...database };
}

/** Runs a built operators' command with only these variables. */
export function runCommand(env: Record<string, string>, ...words: string[]): Promise<CommandEnd> {
  return pipeToCommand("", env, ...words);
}

/** Runs a command with a text, or bytes, on its standard input. */
export function pipeToCommand(
  input: string | Buffer,
  env: Record<string, string>,
  ...words: string[]
): Promise<CommandEnd> {
  const running = promisify(execFile)(process.execPath, ["dist/server/commands/main.js", ...words], { env });
  running.child.stdin?.end(input);
  return running.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}
