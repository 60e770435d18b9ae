import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type BuildOptions, build, type Plugin } from "esbuild";

const substitute = "test/bench/render-anew.ts";

/** The plugin that puts a store that keeps nothing in the place of the one that keeps the static parts. */
const withoutKeptParts: Plugin = {
  name: "without kept parts",
  setup({ onResolve }) {
    onResolve({ filter: /\/static-markup\.ts$/ }, () => ({ path: resolve(substitute) }));
  },
};

/**
 * Bundles what the service's own build doesn't have into dist/bench, one folder below dist as the server itself, which
 * finds its data from there.
 */
export async function buildVariants(): Promise<void> {
  const options = await serverOptions();
  const [wholeTree] = await Promise.all([
    build({
      ...options,
      entryPoints: { "whole-tree": "server/main.ts" },
      plugins: [withoutKeptParts],
      metafile: true,
    }),
    build({
      ...options,
      entryPoints: ["constant-server.ts", "render-time.tsx", "report-cpu-time.ts"].map((file) => `test/bench/${file}`),
    }),
  ]);
  if (!(substitute in wholeTree.metafile.inputs))
    throw new Error("static-markup.ts isn't where it was: nothing replaced");
}

/** Gives the options with which build.mjs bundles the server. */
async function serverOptions() {
  const { dependencies } = JSON.parse(await readFile("package.json", "utf8"));
  return {
    outdir: "dist/bench",
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node26",
    jsx: "automatic",
    sourcemap: true,
    external: Object.keys(dependencies),
    define: { "process.env.NODE_ENV": '"production"' },
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    logLevel: "warning",
  } satisfies BuildOptions;
}
