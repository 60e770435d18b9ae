import { globSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { _ } from "ajv";
import standaloneCode from "ajv/dist/standalone/index.js";
import type { Plugin } from "esbuild";
import { createCompiler } from "../../server/platform/compile-schema.ts";

const platform = resolve("server/platform");

/** One entry point of the bundle per schema: the code that Ajv would otherwise compile at the start. */
export const checkEntryPoints = globSync("schemas/*.schema.json").map((file) => {
  const name = basename(file, ".schema.json");
  return { in: `check:${name}`, out: `server/checks/${name}` };
});

/** Compiles the schemas, and makes the bundle load the compiled code. */
export const compiledChecks: Plugin = {
  name: "compiled-checks",
  setup({ onResolve, onLoad }) {
    const compiler = createCompiler({ source: true, esm: true, formats: _`formats` });
    onResolve({ filter: /^\.\/load-check\.ts$/ }, ({ importer }) =>
      dirname(importer) === platform ? { path: resolve(platform, "load-built-check.ts") } : undefined,
    );
    onResolve({ filter: /^check:/ }, ({ path }) => ({ path: path.replace("check:", ""), namespace: "check" }));
    onLoad({ filter: /./, namespace: "check" }, ({ path: name }) => {
      const code = standaloneCode(compiler.compilerOf(name), compiler.compileNamed(name));
      return { contents: `import { formats } from "./formats.ts";\n${code}`, resolveDir: platform };
    });
  },
};
