import { nameOf, StartError, throwFaults, UnavailableError } from "../platform/errors.ts";
import { createValidator, type Validation } from "../platform/validate.ts";
import type { CommandContext } from "./command.ts";
import { batchSize } from "./housekeeping.ts";
import { toStartError } from "./open-store.ts";
import { maxLine, readLines } from "./read-lines.ts";

/** The result of a line: whether it changed the store, why it was refused, or its faults, each as `/field message`. */
export type LineResult = "added" | "changed" | "unchanged" | { refused: string } | { faults: string[] };

interface Import<Data> {
  /**
   * Reads a line.
   * @returns its faults, each as `/field message`; undefined for a line without content, which is skipped
   */
  read(text: string, number: number): Validation<Data> | undefined;
  /** The results that are counted for the operator. Default: all. */
  counted?: readonly Counted[];
  /** Two lines with the same key are never in one batch. */
  keyOf(line: Data): string;
  /**
   * Stores lines, all or none of them. Existing entries stay as they are.
   * @returns the results of the lines, in order
   */
  store(lines: readonly Data[]): Promise<readonly LineResult[]>;
  /**
   * Records how many lines have had which result: none before the first batch, so that an import that is interrupted
   * is recorded, too, and then after each batch.
   */
  record(counts: Record<string, number>): Promise<void>;
}

type Counted = (typeof allCounted)[number];

const allCounted = ["added", "changed", "unchanged", "refused"] as const;

/** The maximum text of lines that are stored together, in characters. */
const maxBatch = 4 * maxLine;

/**
 * Creates the function that reads lines of JSON.
 * @param schema - the name of a line's schema
 */
export function readJson<Data>(schema: string): Import<Data>["read"] {
  const validate = createValidator<Data>(schema);
  return (text) => {
    if (text.trim() === "") return undefined;
    try {
      return validate(JSON.parse(text));
    } catch {
      // The parser's message contains part of the line, so it isn't used.
      return { valid: false, faults: ["isn't valid JSON"] };
    }
  };
}

/**
 * Imports the lines of a file, in batches. Prints how many lines had which result, and why lines were
 * refused. After an interruption, the same import continues.
 * @param file - `-` is standard input
 * @throws StartError naming faulty lines, once the others are stored; or the line at which the import stopped
 */
export async function importLines<Data>(
  file: string,
  output: CommandContext["output"],
  { read, counted = allCounted, keyOf, store, record }: Import<Data>,
): Promise<void> {
  const counts = { added: 0, changed: 0, unchanged: 0, refused: 0 };
  const [faults, refusals] = [listLines(), listLines()];
  const batch = new Map<string, { line: Data; number: number }>();
  let size = 0;
  let isRecorded = false;
  let number = 0;
  for await (const line of readLines(file)) {
    number++;
    const result = "fault" in line ? { valid: false as const, faults: [line.fault] } : read(line.text, number);
    if (!result) continue;
    if (!result.valid) {
      for (const fault of result.faults) faults.add(number, fault);
      continue;
    }
    const { data } = result;
    const { length } = "text" in line ? line.text : "";
    const key = keyOf(data);
    if (batch.size === batchSize || size + length > maxBatch || batch.has(key)) await storeBatch();
    batch.set(key, { line: data, number });
    size += length;
  }
  await storeBatch();
  const said = [counted.map((result) => `${counts[result]} ${result}`).join(", "), ...refusals.list()];
  const shown = {
    ...shownCounts(),
    ...(counted.includes("refused") && { refusals: refusals.list() }),
    faults: faults.list(),
  };
  await (output.json ? output.show(shown) : output.say(said.join("\n")));
  throwFaults(faults.list());

  function shownCounts(): Record<string, number> {
    return Object.fromEntries(counted.map((result) => [result, counts[result]]));
  }

  async function storeBatch(): Promise<void> {
    const entries = [...batch.values()];
    batch.clear();
    size = 0;
    const [first] = entries;
    if (!first) return;
    if (!isRecorded) await record(shownCounts());
    isRecorded = true;
    const stored = await store(entries.map(({ line }) => line)).catch((error) => {
      if (!(error instanceof UnavailableError)) throw error;
      const shown = toStartError(error);
      const reason = shown instanceof StartError ? shown.message : `${error.message} (${nameOf(error.cause)})`;
      throw new StartError([...faults.list(), `line ${first.number}: ${reason}; the same import continues here`]);
    });
    for (const [index, result] of stored.entries()) {
      const { number: line = 0 } = entries[index] ?? {};
      if (typeof result === "string") counts[result]++;
      else if ("faults" in result) for (const fault of result.faults) faults.add(line, fault);
      else {
        counts.refused++;
        refusals.add(line, result.refused);
      }
    }
    await record(shownCounts());
  }
}

/**
 * The maximum number of listed lines, and of characters about each. A file of another format has millions of faults.
 */
const mostNamed = 100;
const mostSaid = 200;

/** Creates a list of messages about lines. It contains the first messages, and counts the others. */
function listLines() {
  const named: { number: number; text: string }[] = [];
  let others = 0;
  return {
    add(number: number, said: string): void {
      // A field's name may contain any character. Control characters could overwrite the terminal.
      const text = `line ${number}: ${said
        .trim()
        .slice(0, mostSaid)
        .replaceAll(/\p{Cc}/gu, " ")}`;
      if (named.length < mostNamed) named.push({ number, text });
      else others++;
    },
    /** Returns the messages in the order of the lines. */
    list(): string[] {
      const texts = named.toSorted((one, other) => one.number - other.number).map(({ text }) => text);
      return others > 0 ? [...texts, `and ${others} more`] : texts;
    },
  };
}
