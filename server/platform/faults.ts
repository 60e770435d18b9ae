import { baseOf } from "./own-texts.ts";

/** What a line about a fault or a gap says: `<file> /<field> <message>`, or `environment: <variable> <message>`. */
export interface Fault {
  file: string;
  /** A path such as `/colors/info`, or a variable; undefined where the whole file is meant. */
  field: string | undefined;
  message: string;
}

/** Returns the variable that a fault of the environment names. */
export function variableOf(fault: string): string | undefined {
  return /^environment: (\w+) /.exec(fault)?.[1];
}

/** @param files - the shop's, whose names may contain spaces */
export function parseFault(line: string, files: Iterable<string> = []): Fault {
  const variable = variableOf(line);
  const file = [...files].find((name) => line.startsWith(`${name} `)) ?? line.split(/:? /, 1)[0] ?? line;
  const [, field = variable, message = line] = /^:? +(?:(\/\S+) )?(.*)$/s.exec(line.slice(file.length)) ?? [];
  return { file, field, message: variable === undefined ? message : message.slice(variable.length + 1) };
}

/** Leaves out lines about places that have a fault, or are in one that has: they only follow from it. */
export function withoutFollowing(lines: readonly string[], faults: readonly string[]): string[] {
  const wrong = faults.map((fault) => parseFault(fault));
  return lines.filter((line) => {
    const { file, field = "" } = parseFault(line);
    return !wrong.some((fault) => {
      if (fault.file !== file) return false;
      return fault.field === undefined || `${field}/`.startsWith(`${baseOf(fault.field)}/`);
    });
  });
}
