import { nameOf, StartError, throwFaults, UnavailableError } from "../platform/errors.ts";
import { createValidator } from "../platform/validate.ts";
import type { CommandContext } from "./command.ts";
import { batchSize } from "./housekeeping.ts";
import { toStartError } from "./open-store.ts";
import { type Line, maxLine, readLines } from "./read-lines.ts";

/** The result of a line: whether it changed the store, why it was refused, or its faults, each as `/field message`. */
export type LineResult = "added" | "changed" | "unchanged" | { refused: string } | { faults: string[] };

interface Import<Data> {
  /** The name of a line's schema. */
  schema: string;
  /** Two lines with the same key are never in one batch. */
  keyOf(line: Data): string;
  /**
   * Stores lines, all or none of them. Existing entries stay as they are.
   * @returns the results of the lines, in order
   */
  store(lines: readonly Data[]): Promise<readonly LineResult[]>;
}

/** The maximum text of lines that are stored together, in characters. */
const maxBatch = 4 * maxLine;

/**
 * Imports a file with a JSON object per line, in batches. Prints how many lines had which result, and why lines were
 * refused. After an interruption, the same import continues.
 * @param file - `-` is standard input
 * @throws StartError naming faulty lines, once the others are stored; or the line at which the import stopped
 */
export async function importLines<Data>(
  file: string,
  output: CommandContext["output"],
  { schema, keyOf, store }: Import<Data>,
): Promise<void> {
  const validate = createValidator<Data>(schema);
  const counts = { added: 0, changed: 0, unchanged: 0, refused: 0 };
  const [faults, refusals] = [listLines(), listLines()];
  const batch = new Map<string, { line: Data; number: number }>();
  let size = 0;
  let number = 0;
  for await (const read of readLines(file)) {
    number++;
    if ("text" in read && read.text.trim() === "") continue;
    const result = parse(read);
    if (!result.valid) {
      for (const fault of result.faults) faults.add(number, fault);
      continue;
    }
    const { data, length } = result;
    const key = keyOf(data);
    if (batch.size === batchSize || size + length > maxBatch || batch.has(key)) await storeBatch();
    batch.set(key, { line: data, number });
    size += length;
  }
  await storeBatch();
  const said = [
    Object.entries(counts)
      .map(([result, count]) => `${count} ${result}`)
      .join(", "),
    ...refusals.list(),
  ];
  const shown = { ...counts, refusals: refusals.list(), faults: faults.list() };
  await (output.json ? output.show(shown) : output.say(said.join("\n")));
  throwFaults(faults.list());

  function parse(read: Line) {
    if ("fault" in read) return { valid: false as const, faults: [read.fault] };
    const { text } = read;
    try {
      return { ...validate(JSON.parse(text)), length: text.length };
    } catch {
      // The parser's message contains part of the line, so it isn't used.
      return { valid: false as const, faults: ["isn't valid JSON"] };
    }
  }

  async function storeBatch(): Promise<void> {
    const entries = [...batch.values()];
    batch.clear();
    size = 0;
    const [first] = entries;
    if (!first) return;
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
