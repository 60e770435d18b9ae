import { readdir, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { assetsFolder } from "../../server/platform/paths.ts";
import budgets from "./budgets.json" with { type: "json" };

interface Bundle {
  /** As in client/, for example boot.js. */
  name: string;
  /** The packages of node_modules in it. */
  packages: string[];
  /** The built file and everything that it statically imports. */
  files: Record<string, { raw: number; gzip: number; brotli: number }>;
}

const bundles: Bundle[] = JSON.parse(await readFile("dist/bundles.json", "utf8"));
/** Gzip sizes in kB by name; `*.css` is for stylesheets without an entry of their own. */
const { "*.css": ofStylesheets, ...own } = budgets;
const limits = new Map(Object.entries(own));

describe("what a visitor loads", () => {
  it.each(bundles)("stays within the budget of $name", ({ name, files }) => {
    const limit = limits.get(name) ?? (name.endsWith(".css") ? ofStylesheets : undefined);
    if (limit === undefined) throw new Error(`${name} has no budget yet: give it one in test/build/budgets.json`);
    const over = Object.values(files).reduce((sum, { gzip }) => sum + gzip, 0) - limit * 1024;
    const sizes = Object.entries(files).map(([file, { gzip }]) => `${file} ${kilobytes(gzip)}`);
    const fault = `${name} is ${kilobytes(over)} over its budget of ${limit} kB gzip: ${sizes.join(" + ")}`;
    expect(over, fault).toBeLessThanOrEqual(0);
  });

  it("is all in the report, and every budget has a file", async () => {
    const built = (await readdir(assetsFolder)).filter((file) => /\.(js|css|svg)$/.test(file));
    const reported = bundles.flatMap(({ files }) => Object.keys(files));
    expect([...new Set(reported)].sort()).toEqual(built.sort());
    expect(bundles.map(({ name }) => name)).toEqual(expect.arrayContaining([...limits.keys()]));
  });

  it("has no package in the script of every page", () => {
    expect(bundles.find(({ name }) => name === "boot.js")?.packages).toEqual([]);
  });
});

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} kB`;
}
