import { baseOf } from "./own-texts.ts";

/** The parts of a line about a fault or a gap: `<file> /<field> <message>`, or `environment: <variable> <message>`. */
interface Fault {
  file: string;
  /** A path such as `/colors/info`, or a variable; undefined if the fault concerns the whole file. */
  field: string | undefined;
  message: string;
}

/** Returns the variable that a fault of the environment names. */
export function variableOf(fault: string): string | undefined {
  return /^environment: (\w+) /.exec(fault)?.[1];
}

/**
 * Splits a line about a fault or a gap.
 * @param files - the shop's files, whose names may contain spaces
 */
export function parseFault(line: string, files: Iterable<string> = []): Fault {
  const variable = variableOf(line);
  const file = [...files].find((name) => line.startsWith(`${name} `)) ?? line.split(/:? /, 1)[0] ?? line;
  const [, field = variable, message = line] = /^:? +(?:(\/\S+) )?(.*)$/s.exec(line.slice(file.length)) ?? [];
  return { file, field, message: variable === undefined ? message : message.slice(variable.length + 1) };
}

/** Drops consequential faults: lines about a field that has another fault, or that is part of one that has. */
export function dropConsequentialFaults(lines: readonly string[], faults: readonly string[]): string[] {
  const wrong = faults.map((fault) => parseFault(fault));
  return lines.filter((line) => {
    const { file, field = "" } = parseFault(line);
    return !wrong.some((fault) => {
      if (fault.file !== file) return false;
      return fault.field === undefined || `${field}/`.startsWith(`${baseOf(fault.field)}/`);
    });
  });
}
