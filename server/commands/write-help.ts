import { type Command, commonOptions, type Options } from "./command.ts";

/** Writes how a command is used, such as `erase <address> [--suppress]`. */
export function writeUsage({ name, argument, options = {} }: Command): string {
  return [name, argument, ...Object.entries(options).map((option) => `[${writeOption(option)}]`)]
    .filter((part) => part !== undefined)
    .join(" ");
}

/** Writes the help of a command, with what its options mean. */
export function writeHelp(command: Command): string {
  const options = Object.entries<Options[string]>({ ...command.options, ...commonOptions });
  const lines = options.map(([name, option]): [string, string] => [writeOption([name, option]), option.does]);
  return `usage: ${writeUsage(command)}\n\n${command.does}\n\n${inColumns(lines)}`;
}

/** Writes a line for each of some commands. */
export function writeList(commands: readonly Command[]): string {
  const lines = commands.map((command): [string, string] => [writeUsage(command), command.does]);
  return `${inColumns(lines)}\nEach has --json and --help. It exits with 0 when it is done, with 1 when it can't be done, and with 2 when it is\nwritten in another way.\n`;
}

function writeOption([name, { value }]: [string, Options[string]]): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

/** A name that is too long for its column has the line above. */
function inColumns(lines: readonly (readonly [string, string])[]): string {
  const width = Math.min(40, Math.max(...lines.map(([name]) => name.length)));
  return lines
    .map(([name, does]) => {
      const gap = name.length > width ? `\n  ${" ".repeat(width)}` : " ".repeat(width - name.length);
      return `  ${name}${gap}  ${does}\n`;
    })
    .join("");
}
