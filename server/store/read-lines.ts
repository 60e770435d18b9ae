import { createReadStream } from "node:fs";
import { nameOf, StartError } from "../platform/errors.ts";

/** A line of a file: its text, or the fault of a line without text. */
type Line = { text: string } | { fault: string };

/** In bytes. A subscriber with hundreds of declarations needs less. */
export const maxLine = 1024 * 1024;

const lineFeed = 0x0a;

/**
 * Reads the lines of a UTF-8 file one at a time. Holds at most one line in memory.
 * @param file - `-` is standard input
 * @throws StartError if the file can't be read
 */
export async function* readLines(file: string): AsyncGenerator<Line> {
  const chunks: AsyncIterable<Buffer> = file === "-" ? process.stdin : createReadStream(file);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of chunks) {
      let start = 0;
      for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
        add(chunk.subarray(start, end));
        yield endLine();
        start = end + 1;
      }
      add(chunk.subarray(start));
    }
  } catch (error) {
    throw new StartError([`${file}: can't be read (${nameOf(error)})`]);
  }
  if (size > 0) yield endLine();

  function add(part: Buffer): void {
    size += part.length;
    if (size <= maxLine) parts.push(part);
    else parts = [];
  }

  function endLine(): Line {
    const bytes = Buffer.concat(parts);
    const isTooLong = size > maxLine;
    parts = [];
    size = 0;
    if (isTooLong) return { fault: `is longer than ${maxLine} bytes` };
    try {
      return { text: decoder.decode(bytes) };
    } catch {
      return { fault: "isn't valid UTF-8" };
    }
  }
}
