import type { Env } from "../config/env.ts";
import type { Logger } from "../platform/logger.ts";
import type { SecretKeys } from "../platform/secret-keys.ts";
import type { Site } from "../sites/countries.ts";
import type { Audit } from "./audit-events.ts";
import type { Store } from "./open-store.ts";

/** The context of every operators' command. */
export interface CommandContext {
  /** Records what the command changes. A command that changes nothing records nothing. */
  audit: Audit;
  env: Env;
  keys: SecretKeys;
  /** Each of its lines names the operator. */
  logger: Logger;
  output: Output;
  /**
   * Loads the countries of the shop.
   * @throws StartError when they have faults
   */
  loadSites(): Promise<readonly Site[]>;
  /** Opens the store, which is closed after the command. */
  openStore(): Promise<Store>;
}

/**
 * Turns the work of a command into commander's action.
 * @param work - gets the command's arguments, then its options; a StartError that it throws is printed as it is
 */
export type Run = <Arguments extends unknown[]>(
  work: (context: CommandContext, ...args: Arguments) => Promise<void>,
) => (...args: Arguments) => Promise<void>;

/** A row of a table that a command prints. */
export type Row = Record<string, string | number | boolean | readonly string[] | null>;

type Output = ReturnType<typeof createOutput>;

/**
 * Prints the results of a command, for people or as JSON. Each call resolves once everything is written: entries that
 * are marked as exported afterwards must not be lost in a pipe.
 */
export function createOutput(stream: NodeJS.WritableStream, json: boolean) {
  return {
    json,
    /** Prints what was done, in one line. */
    say: (line: string) => (json ? show({ message: line }) : write(`${line}\n`)),
    /** Prints a value as JSON, even for people. */
    show,
    /** Prints rows in columns, or `none`. */
    list: (rows: readonly Row[]) => (json ? show(rows) : write(columnsOf(rows))),
    write,
  };

  function show(value: unknown) {
    return write(`${JSON.stringify(value, null, 2)}\n`);
  }

  function write(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      stream.write(text, (error) => (error ? reject(error) : resolve()));
    });
  }
}

function columnsOf(rows: readonly Row[]): string {
  const [first] = rows;
  if (!first) return "none\n";
  const names = Object.keys(first);
  const lines = [names, ...rows.map((row) => names.map((name) => textOf(row[name])))];
  const widths = names.map((_name, i) => Math.max(...lines.map((cells) => cells[i]?.length ?? 0)));
  const pad = (cells: readonly string[]) => cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join("  ");
  return lines.map((cells) => `${pad(cells).trimEnd()}\n`).join("");
}

/** A control character, such as a line break, could fake a line or send a command to the terminal. */
function textOf(value: Row[string] | undefined): string {
  return String(value ?? "-").replaceAll(/\p{Cc}/gu, " ");
}
