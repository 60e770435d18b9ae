/** A line of a list, by the names of its columns. */
type Row = Record<string, string | number | boolean | readonly string[] | null>;

/**
 * Where a command writes what it has to say: for people, or as JSON. Each call resolves once all is written, as what is
 * then marked as exported must not be lost in a pipe.
 */
export interface Output {
  /** Whether JSON is asked for. */
  json: boolean;
  /** Says what was done, in one line. */
  say(line: string): Promise<void>;
  /** Shows a value that is JSON for people, too. */
  show(value: unknown): Promise<void>;
  /** Lists rows in columns, and says so when there are none. */
  list(rows: readonly Row[]): Promise<void>;
  /** Writes a text as it is. */
  write(text: string): Promise<void>;
}

export function createOutput(stream: NodeJS.WritableStream, json: boolean): Output {
  return {
    json,
    say: (line) => (json ? show({ message: line }) : write(`${line}\n`)),
    show,
    list: (rows) => (json ? show(rows) : write(columnsOf(rows))),
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

/** A control character, such as a line break, would fake a line or command the terminal. */
function textOf(value: Row[string] | undefined): string {
  return String(value ?? "-").replaceAll(/\p{Cc}/gu, " ");
}
