import { globSync, readFileSync } from "node:fs";
import request from "supertest";
import { describe, expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { commandTable } from "../../server/commands/command-table.ts";
import { eventLines } from "../../server/security-events.ts";
import { callAnswers } from "../../server/services/call-answers.ts";
import { createValidator, readSchema } from "../../server/validate.ts";
import { readAlerts } from "../deploy/read-queries.ts";
import { createTestApp } from "../support/test-app.ts";
import { documentAt, rowsOf } from "./read-documents.ts";

interface Property {
  default?: string | number | boolean;
  enum?: string[];
}

interface ObjectSchema {
  properties: Record<string, Property>;
  patternProperties?: Record<string, Property>;
}

const service = await createTestApp();
const unquoted = (cell = "") => cell.replaceAll("`", "");
const code = (cell = "") => [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text);

/** The rows of a table about what a schema describes: name, default, values. */
function rowsAbout(file: string, names: readonly string[]) {
  const rows = rowsOf(file).map(([name, standard = "", values = ""]) => ({ name: unquoted(name), standard, values }));
  return rows.filter(({ name }) => names.includes(name));
}

function propertiesOf(schema: string): Record<string, Property> {
  const { properties, patternProperties }: ObjectSchema = JSON.parse(JSON.stringify(readSchema(schema)));
  const patterns = Object.entries(patternProperties ?? {}).map(([pattern, property]) => [
    pattern.replace(/^\^(\w+)$/, "$1<SITE>"),
    property,
  ]);
  return { ...properties, ...Object.fromEntries(patterns) };
}

describe("docs/configure.md", () => {
  const variables = propertiesOf("env");

  it("has a row for every variable of the environment, and for no other", () => {
    const rows = rowsOf("docs/configure.md").map(([name]) => unquoted(name));
    expect(rows.filter((name) => /^[A-Z]+(_|$)/.test(name)).sort()).toEqual(Object.keys(variables).sort());
  });

  it.each(Object.entries(variables))("tells the default and every value of %s", (name, property) => {
    const [row] = rowsAbout("docs/configure.md", [name]);
    if (property.default === undefined) expect(row?.standard).not.toMatch(/^`[^`]*`$/);
    else expect(row?.standard).toBe(`\`${property.default}\``);
    expect(code(row?.values)).toEqual(expect.arrayContaining(property.enum ?? []));
  });
});

describe("docs/shop.md on the brand", () => {
  it("has a row for every field", () => {
    const [, ...rows] = rowsOf("docs/shop.md", "Brand");
    const { $schema, ...fields } = propertiesOf("brand");
    expect(rows.map(([name]) => unquoted(name))).toEqual(Object.keys(fields));
  });
});

describe("docs/include.md on supported browsers", () => {
  it("has the versions that the build is for", () => {
    const [, ...rows] = rowsOf("docs/include.md", "Supported browsers");
    expect(rows.map(([browser, from]) => [browser, from].map((cell) => cell?.split(",")[0]).join(" >= "))).toEqual(
      packageJson.browserslist,
    );
  });
});

describe.each(["footer", "newsletter"])("docs/include.md on the %s", (fragment) => {
  it.each(Object.entries(propertiesOf(`${fragment}-parameters`)))("tells the default of %s", (name, property) => {
    const rows = rowsAbout("docs/include.md", [name]);
    expect(rows.map(({ standard }) => unquoted(standard).replace("empty", ""))).toContain(String(property.default));
    const values = rows.flatMap((row) => [...code(row.values), ...code(row.standard)]);
    expect(values).toEqual(expect.arrayContaining(property.enum ?? []));
  });
});

describe("docs/services.md", () => {
  it("names every call whose answer is checked, with its schema and whether it sets cookies", () => {
    const rows = rowsOf("docs/services.md", "What a real service must answer");
    const told = rows
      .filter(([call]) => call?.startsWith("`"))
      .map(([call, schema, cookies]) => [unquoted(call), unquoted(schema), cookies !== ""]);
    const known = callAnswers.map(({ call, schema = "", setsCookies = false }) => [call, schema, setsCookies]);
    expect(told).toEqual(known);
  });
});

describe("docs/webhook.md", () => {
  it("shows an event that its schema takes, and tells every type", () => {
    const [example] = documentAt("docs/webhook.md").blocks.filter(({ language }) => language === "json");
    expect(createValidator("newsletter-event")(JSON.parse(example?.code ?? ""))).toMatchObject({ valid: true });
    const types = rowsOf("docs/webhook.md", "Events").flatMap(([type]) => code(type));
    const known = [...JSON.stringify(readSchema("newsletter-event")).matchAll(/"newsletter\.\w+"/g)].map(
      ([type]) => type,
    );
    expect(types).toEqual(["type", ...known.map((type) => JSON.parse(type))]);
  });
});

describe("docs/operate.md", () => {
  const { app, deps, logs } = service;
  const firstCells = (heading: string) => rowsOf("docs/operate.md", heading).flatMap(([cell]) => code(cell));

  it("has a row for every command in the order of its help, with its options", () => {
    const [, ...rows] = rowsOf("docs/operate.md", "Commands").map(([name, options]) => [code(name), code(options)]);
    const known = commandTable.map(({ name, argument, options = {} }) => [
      [argument === undefined ? name : `${name} ${argument}`],
      Object.entries(options).map(([option, { value }]) => `--${option}${value === undefined ? "" : ` ${value}`}`),
    ]);
    expect(rows).toEqual(known);
  });

  it("names every security event, and no other", () => {
    expect(firstCells("Security events").sort()).toEqual(Object.keys(eventLines).sort());
  });

  it("names every metric of the service, and no other", () => {
    const names = deps.metrics.registry.getMetricsAsArray().map(({ name }) => name);
    expect(firstCells("Metrics").sort()).toEqual(names.filter((name) => !/^(nodejs|process)_/.test(name)).sort());
  });

  it("says of every alert what to do, where the alert points to, and of no other", () => {
    const alerts = readAlerts();
    for (const { annotations } of alerts) expect(annotations.runbook).toBe("docs/operate.md#alerts");
    const [, ...rows] = rowsOf("docs/operate.md", "Alerts");
    expect(rows.map(([alert]) => unquoted(alert)).sort()).toEqual(alerts.map(({ alert }) => alert).sort());
    for (const [, ...told] of rows) expect(told.filter((cell) => cell !== "")).toHaveLength(3);
  });

  it("names every outage by what the log says of it, and no other", () => {
    const sources = globSync("server/**/*.ts").map((file) => readFileSync(file, "utf8"));
    const said = (word: string) =>
      sources.flatMap((text) => [...text.matchAll(new RegExp(`\\b${word}: "([^"]+)"`, "g"))]);
    const away = said("away").map(([, text = ""]) => text.replace(/;.*/, " …"));
    const back = said("back").map(([, text]) => text);
    const rows = rowsOf("docs/operate.md", "Outages").slice(1);
    expect(rows.map(([cell]) => unquoted(cell)).sort()).toEqual(away.sort());
    expect(rows.map(([, , cell]) => unquoted(cell)).sort()).toEqual(back.sort());
  });

  it("names every field of a line about a request, and no other", async () => {
    const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    await request(app).get("/fragments/footer/DE").set({ traceparent }).expect(200);
    const line = logs.findLast(({ msg, route }) => msg === "request" && String(route).startsWith("/fragments/"));
    const onlyOfSome = ["aborted", "reason"];
    expect(firstCells("Logs").sort()).toEqual([...Object.keys({ ...line }), ...onlyOfSome].sort());
  });
});
