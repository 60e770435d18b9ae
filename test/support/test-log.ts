import { Writable } from "node:stream";
import { createLogger, type Logger } from "../../server/platform/logger.ts";

/** Creates a log of its own, for a test that looks at all of its lines. */
export function createTestLog(): { logger: Logger; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const sink = new Writable({
    write(line, _encoding, done) {
      lines.push(JSON.parse(String(line)));
      done();
    },
  });
  return { logger: createLogger({ level: "info" }, sink), lines };
}
