/**
 * Writes the tables of the documents that are defined by code or schemas, between `<!-- table: … -->` and `<!-- end
 * -->`. With --check it writes nothing, and fails if a table differs.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { createProgram } from "../server/commands/run-command-line.ts";
import { createMetrics } from "../server/platform/metrics.ts";

interface Property {
  description: string;
  default?: string | number | boolean;
}

/** The environment variables that are in no table so far. */
const variables = new Map(Object.entries(propertiesOf("env")));

/** Functions that return the rows of each kind of table, headings first. Each gets the words after the kind's name. */
const tables: Record<string, (...words: string[]) => string[][]> = {
  variables: (...names) => {
    const rows = names.map((name) => {
      const property = variables.get(name);
      variables.delete(name);
      return rowOf(name, property);
    });
    return [["Variable", "Default", "Meaning"], ...rows];
  },
  parameters: (fragment) => {
    const rows = Object.entries(propertiesOf(`${fragment}-parameters`)).map(([name, property]) =>
      rowOf(name, property),
    );
    return [["Parameter", "Default", "Meaning"], ...rows];
  },
  metrics: () => {
    const rows = createMetrics()
      .registry.getMetricsAsArray()
      .map(({ name, help, ...metric }) => {
        const labels = "labelNames" in metric && Array.isArray(metric.labelNames) ? metric.labelNames : [];
        return [code(name), labels.map(code).join(", "), help];
      });
    // The others come from prom-client.
    return [["Metric", "Labels", "Meaning"], ...rows.filter(([name]) => !/^`(nodejs|process)_/.test(name ?? ""))];
  },
  commands: () => {
    const program = createProgram(() => async () => undefined);
    const help = program.createHelp();
    const all = help.visibleCommands(program).map((command) => help.subcommandTerm(command).trim());
    // Most commands exist for customers and for staff: the table lists those for customers.
    const isRepeat = (term: string) => term.startsWith("staff ") && all.includes(term.replace("staff", "account"));
    const shown = help.visibleCommands(program).filter((command) => !isRepeat(help.subcommandTerm(command).trim()));
    const rows = shown.map((command) => {
      const options = command.options.filter(({ long }) => long !== "--json").map(({ flags }) => code(flags));
      const words = [code(help.subcommandTerm(command).trim()), ...options];
      return [words.join(" "), help.subcommandDescription(command)];
    });
    return [["Command", "Description"], ...rows];
  },
  decisions: () => {
    const rows = globSync("docs/decisions/2*.md")
      .sort()
      .map((file) => {
        const [, title] = /^# (.+)\n/.exec(readFileSync(file, "utf8")) ?? [];
        return [basename(file).slice(0, 10), `[${title}](${basename(file)})`];
      });
    return [["Date", "Decision"], ...rows];
  },
};

for (const file of globSync("docs/{*,decisions/README}.md")) {
  const text = readFileSync(file, "utf8");
  const generated = text.replaceAll(/(<!-- table: (.+) -->\n)(?:.*\n)*?(<!-- end -->)/g, (_all, start, words, end) => {
    const [name = "", ...rest] = words.split(" ");
    const rows = tables[name]?.(...rest);
    if (!rows) throw new Error(`${file}: there is no table "${name}"`);
    return `${start}${formatTable(rows)}${end}`;
  });
  if (generated === text) continue;
  if (!process.argv.includes("--check")) writeFileSync(file, generated);
  else {
    console.error(`${file}: a table differs from its source: run \`npm run fix\``);
    process.exitCode = 1;
  }
}
if (variables.size > 0) throw new Error(`in no document: ${[...variables.keys()].join(", ")}`);

function propertiesOf(schema: string): Record<string, Property> {
  const { properties, patternProperties = {} } = JSON.parse(readFileSync(`schemas/${schema}.schema.json`, "utf8"));
  const patterns = Object.entries(patternProperties).map(([name, property]) => [
    `${name
      .replace("^", "")
      .replace("(?!FILE)", "")
      .replace(/\(.+\)/, "<SERVICE>")}<SITE>`,
    property,
  ]);
  return { ...properties, ...Object.fromEntries(patterns) };
}

function rowOf(name: string, property: Property | undefined): string[] {
  if (!property) throw new Error(`there is no ${name}`);
  const { default: value, description } = property;
  return [code(name), value === undefined || value === "" ? "none" : code(String(value)), description];
}

function code(text: string): string {
  return `\`${text}\``;
}

function formatTable([headings = [], ...rows]: string[][]): string {
  const lines = [headings, headings.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |\n`);
  return lines.join("").replaceAll(" --- ", "---").replaceAll("  |", " |");
}
