import { globSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { decode, encode, type SourceMapSegment } from "@jridgewell/sourcemap-codec";
import esbuild, { type BuildOptions, type Plugin } from "esbuild";
import { oldestNode } from "../../server/process/require-node.mjs";
import { dist } from "./build-id.ts";
import type { Outputs } from "./licences.ts";
import { checkEntryPoints, compiledChecks } from "./schema-checks.ts";

/**
 * Bundles the server with its packages, including React in production mode, so that the service runs from `dist/`
 * alone.
 * @returns esbuild's report on the built files
 */
export async function bundleServer(): Promise<Outputs> {
  const { metafile } = await esbuild.build(
    serverOptions({
      entryPoints: [...listEntryPoints(), ...checkEntryPoints],
      plugins: [...plugins, compiledChecks],
      // Identifiers keep their names, which makes stacks in the log readable.
      minifyWhitespace: true,
      minifySyntax: true,
      define: { "process.env.NODE_ENV": '"production"' },
    }),
  );
  await Promise.all(globSync("dist/{server,countries}/**/*.js.map").map(shrinkSourceMap));
  return metafile.outputs;
}

/** Returns esbuild's options for the server's files, merged with the given ones. */
export function serverOptions(options: BuildOptions): BuildOptions & { metafile: true } {
  return {
    entryPoints: listEntryPoints(),
    outdir: dist,
    outbase: ".",
    chunkNames: "server/[name]-[hash]",
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: `node${oldestNode}`,
    jsx: "automatic",
    legalComments: "none",
    sourcemap: true,
    sourcesContent: false,
    // Optional for pg.
    external: ["pg-native"],
    plugins,
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    logLevel: "warning",
    ...options,
    metafile: true,
  };
}

/**
 * Loads Node's modules by `getBuiltinModule`. An import would read each of their exports, and that of node:http would
 * load all of fetch, which takes 7 MB.
 */
const requireBuiltIns: Plugin = {
  name: "require-built-ins",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path, kind }) => {
      return kind === "import-statement" ? { path, namespace: "built-in" } : undefined;
    });
    onLoad({ filter: /./, namespace: "built-in" }, ({ path }) => {
      return { contents: `module.exports = process.getBuiltinModule("${path}")` };
    });
  },
};

/**
 * Omits data and parsers that the service never uses: iconv-lite's Asian encodings, and parsers of locale files other
 * than JSON.
 */
const omitUnused: Plugin = {
  name: "omit-unused",
  setup({ onLoad }) {
    onLoad({ filter: /iconv-lite.encodings.dbcs-data\.js$/ }, () => ({ contents: "module.exports = {}" }));
    onLoad({ filter: /i18next-fs-backend.esm.formats.(json5|jsonc|yaml)\.js$/ }, () => ({
      contents: "export default {}; export const parse = undefined;",
    }));
  },
};

const plugins = [requireBuiltIns, omitUnused];

function listEntryPoints(): string[] {
  return [
    "server/main.ts",
    "server/commands/main.ts",
    "server/commands/dev/main.ts",
    "server/store/sqlite-worker.ts",
    ...globSync(["countries/*.ts", "server/store/migrations/*.ts"]),
  ];
}

/**
 * Reduces the mappings of packages and compiled schemas to one per file. Node holds the map in memory from the first
 * error on; all mappings would take ten times the memory.
 */
async function shrinkSourceMap(file: string): Promise<void> {
  const map = JSON.parse(await readFile(file, "utf8"));
  let lastSource: number | undefined;
  const lines = decode(map.mappings).map((line) =>
    line.flatMap((segment): SourceMapSegment[] => {
      const [column, source] = segment;
      const isFirst = source !== lastSource;
      lastSource = source;
      if (source === undefined || !/node_modules\/|^check:/.test(map.sources[source])) return [segment];
      return isFirst ? [[column, source, 0, 0]] : [];
    }),
  );
  await writeFile(file, JSON.stringify({ ...map, mappings: encode(lines) }));
}
