import { statSync } from "node:fs";
import { type Milliseconds, second } from "../../client/rules/time.ts";

/** How long a command works before it says so. The next time comes after twice as long. */
const first: Milliseconds = 2 * second;

const megabyte = 1_000_000;
/** How large a file is of which a copy may take as long on a slow disk. */
const large = 50 * megabyte;

/** Tells people who wait for a command that it is at work. */
export interface Progress {
  /** Is told how far the command has come, such as `12000 subscribers`. */
  report(done: string): void;
  /**
   * Tells at once that a file is being copied, if that takes longer: until it is done, nothing else can be told.
   * @param file - may be missing
   */
  announceCopy(file: string): void;
  end(): void;
}

/** Creates what writes to the standard error, less often the longer it takes. */
export function createProgress(write: (line: string) => void): Progress {
  const begun = performance.now();
  let done: string | undefined;
  let timer = setTimeout(tell, first);
  return {
    report(now) {
      done = now;
    },
    announceCopy(file) {
      const { size = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
      if (size > large) write(`copying ${Math.round(size / megabyte)} MB\n`);
    },
    end: () => clearTimeout(timer),
  };

  function tell() {
    const passed = Math.round((performance.now() - begun) / second);
    write(`at work for ${passed} s${done === undefined ? "" : `: ${done}`}\n`);
    timer = setTimeout(tell, passed * second);
  }
}
