import { open } from "node:fs/promises";
import { createInterface } from "node:readline";
import { nameOf, refuseFaults, StartError, UnavailableError } from "../platform/errors.ts";
import { createValidator } from "../platform/validate.ts";
import type { CommandContext } from "./command.ts";
import { batchSize } from "./housekeeping.ts";
import { toStartError } from "./open-store.ts";

/** What happened to a line: its faults, each as `/field message`, or whether it changed the store. */
export type LineResult = "added" | "changed" | "unchanged" | "refused" | { faults: string[] };

interface Import<Line> {
  /** Name of the schema of a line. */
  schema: string;
  /** Two lines with the same key are never in one batch. */
  keyOf(line: Line): string;
  /** Stores lines, all or none of them, and returns their results in order. Lines that are there stay as they are. */
  store(lines: readonly Line[]): Promise<readonly LineResult[]>;
}

/**
 * Imports a file with an object of JSON per line, in batches, and prints how many lines had which result. After an
 * interruption, the same import continues.
 * @param file - `-` is standard input
 * @throws StartError naming every faulty line, once the others are stored; or the line at which the import stopped
 */
export async function importLines<Line>(
  file: string,
  output: CommandContext["output"],
  { schema, keyOf, store }: Import<Line>,
): Promise<void> {
  const validate = createValidator<Line>(schema);
  const counts = { added: 0, changed: 0, unchanged: 0, refused: 0 };
  const faults: { number: number; fault: string }[] = [];
  const batch = new Map<string, { line: Line; number: number }>();
  let number = 0;
  for await (const text of readLines(file)) {
    number++;
    if (text.trim() === "") continue;
    const result = parse(text);
    if (!result.valid) {
      addFaults(number, result.faults);
      continue;
    }
    const key = keyOf(result.data);
    if (batch.size === batchSize || batch.has(key)) await storeBatch();
    batch.set(key, { line: result.data, number });
  }
  await storeBatch();
  const said = Object.entries(counts).map(([result, count]) => `${count} ${result}`);
  await (output.json ? output.show({ ...counts, faults: listFaults() }) : output.say(said.join(", ")));
  refuseFaults(listFaults());

  function parse(text: string) {
    try {
      return validate(JSON.parse(text));
    } catch {
      // The parser's message has a part of the line.
      return { valid: false as const, faults: ["isn't valid JSON"] };
    }
  }

  async function storeBatch(): Promise<void> {
    const entries = [...batch.values()];
    batch.clear();
    const [first] = entries;
    if (!first) return;
    const stored = await store(entries.map(({ line }) => line)).catch((error) => {
      if (!(error instanceof UnavailableError)) throw error;
      const shown = toStartError(error);
      const reason = shown instanceof StartError ? shown.message : `${error.message} (${nameOf(error.cause)})`;
      throw new StartError([...listFaults(), `line ${first.number}: ${reason}; the same import continues here`]);
    });
    for (const [index, result] of stored.entries()) {
      if (typeof result === "string") counts[result]++;
      else addFaults(entries[index]?.number ?? 0, result.faults);
    }
  }

  function addFaults(line: number, found: readonly string[]): void {
    for (const fault of found) faults.push({ number: line, fault: `line ${line}: ${fault.trim()}` });
  }

  function listFaults(): string[] {
    return faults.toSorted((one, other) => one.number - other.number).map(({ fault }) => fault);
  }
}

async function* readLines(file: string): AsyncGenerator<string> {
  try {
    yield* file === "-"
      ? createInterface({ input: process.stdin, crlfDelay: Infinity })
      : (await open(file)).readLines();
  } catch (error) {
    throw new StartError([`${file}: can't be read (${nameOf(error)})`]);
  }
}
