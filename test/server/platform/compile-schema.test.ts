import { globSync } from "node:fs";
import { basename } from "node:path";
import { expect, it } from "vitest";
import { createCompiler } from "../../../server/platform/compile-schema.ts";

it.each(globSync("schemas/*.schema.json"))("compiles %s alone, with all schemas to which it leads", (file) => {
  expect(createCompiler().compileNamed(basename(file, ".schema.json"))).toBeTypeOf("function");
});
