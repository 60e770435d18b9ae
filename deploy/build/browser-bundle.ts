import { globSync, readFileSync } from "node:fs";
import { appendFile, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import esbuild, { type BuildOptions, type Plugin } from "esbuild";
import product from "../../package.json" with { type: "json" };
import { builtInStyle } from "../../server/brand/brand.ts";
import { hashForBrowsers } from "../../server/platform/assets.ts";
import { styleIcons } from "./browser-files.ts";
import { assets } from "./build-id.ts";
import { noticesOf, type Outputs } from "./licences.ts";

const boot = "client/boot.ts";
/** The script that boot loads for visitors with a session. */
const session = "client/features/session/keep-session.ts";

/**
 * Bundles scripts and stylesheets for the browser, each script with the licences of its packages beside it.
 * @returns esbuild's report on the built files
 */
export async function bundleBrowser(): Promise<Outputs> {
  const options = browserOptions({ minify: true, external: [`./${basename(session)}`] });
  const { outputs } = (await esbuild.build(options)).metafile;
  const bundled = await bundleAlone(boot, await bundleAlone(session, outputs));
  await Promise.all(Object.entries(bundled).map(([file, output]) => addNotices(file, { [file]: output })));
  return bundled;
}

/** Returns esbuild's options for the browser's files, merged with the given ones. */
export function browserOptions(options: BuildOptions): BuildOptions & { metafile: true } {
  return {
    entryPoints: [boot, "client/gallery.ts", "client/copy-code.ts", "client/fit-frames.ts", ...findStylesheets()],
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    outdir: assets,
    bundle: true,
    splitting: true,
    format: "esm",
    target: product.browserslist.map((browser) => browser.toLowerCase().replace(" >= ", "")),
    jsx: "automatic",
    legalComments: "none",
    logLevel: "warning",
    ...options,
    metafile: true,
    plugins: [styleBrand, styleSprite, nameBuilt(options), ...(options.plugins ?? [])],
  };
}

/** Lists the stylesheets that no other stylesheet imports. */
function findStylesheets(): string[] {
  const files = globSync("client/**/*.css");
  const imported = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/^@import "(.+)";/gm)].map(([, path = ""]) => join(dirname(file), path)),
  );
  return files.filter((file) => !imported.includes(file)).sort();
}

/**
 * Bundles a small script by itself. With code splitting it would import the bundler's runtime and shared chunks, and so
 * cost every page more requests.
 * @param built - outputs so far, with everything that the script imports later
 * @returns all outputs, with those of the script replaced
 */
async function bundleAlone(script: string, built: Outputs): Promise<Outputs> {
  const split = Object.keys(built).filter((file) => built[file]?.entryPoint === script);
  await Promise.all(split.map((file) => rm(file)));
  const importBuilt: Plugin = {
    name: "import-built",
    setup: ({ onResolve }) =>
      onResolve({ filter: /./ }, ({ kind, path, resolveDir }) => {
        if (kind !== "dynamic-import") return undefined;
        const source = relative(process.cwd(), join(resolveDir, path));
        const [file = ""] = Object.entries(built).find(([, { entryPoint }]) => entryPoint === source) ?? [];
        return { path: `./${basename(file)}`, external: true };
      }),
  };
  const options = { minify: true, splitting: false, entryPoints: [script], plugins: [importBuilt] };
  const { metafile } = await esbuild.build(browserOptions(options));
  const others = Object.entries(built).filter(([file]) => !split.includes(file));
  return { ...Object.fromEntries(others), ...metafile.outputs };
}

/** Writes the licences of a script's packages to a file beside it, and names that file at the script's end. */
async function addNotices(file: string, output: Outputs): Promise<void> {
  const notices = await noticesOf(output);
  if (!notices) return;
  await writeFile(`${file}.LEGAL.txt`, notices);
  await appendFile(file, `/*! Licenses: ${basename(file)}.LEGAL.txt */\n`);
}

/** Turns the built-in brand into CSS for the stylesheets that import `brand.json` or `brand.json?variants`. */
const styleBrand: Plugin = {
  name: "style-brand",
  setup: ({ onLoad }) =>
    onLoad({ filter: /[/\\]brand\.json$/ }, async ({ path, suffix }) => {
      try {
        const brand = JSON.parse(await readFile(path, "utf8"));
        const contents = builtInStyle(brand, suffix === "?variants" ? "variants" : "pages");
        return { contents, loader: "css" };
      } catch (error) {
        return { errors: [{ text: `brand.json can't be read: ${error}` }] };
      }
    }),
};

/** Turns the built-in icons into CSS for the stylesheet that imports `icons.json?style`. */
const styleSprite: Plugin = {
  name: "style-icons",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\/icons-\w+\.svg$/ }, ({ path }) => ({ path, external: true }));
    onLoad({ filter: /[/\\]icons\.json$/ }, async ({ suffix }) => {
      if (suffix !== "?style") return undefined;
      return { contents: await styleIcons(), loader: "css" };
    });
  },
};

/**
 * Lets a script import the built name of a stylesheet that the server's markup doesn't link: `import { file } from
 * "./preview.css?built"`.
 */
function nameBuilt(options: BuildOptions): Plugin {
  const styles: Outputs = {};
  const exportFile = async (file: string) => {
    const integrity = hashForBrowsers(await readFile(join(assets, file)));
    return `export const file = ${JSON.stringify(file)}, integrity = ${JSON.stringify(integrity)};`;
  };
  return {
    name: "name-built",
    setup({ onResolve, onLoad, onEnd }) {
      onResolve({ filter: /\?built$/ }, ({ path, resolveDir }) => {
        return { path: relative(process.cwd(), join(resolveDir, path.replace("?built", ""))), namespace: "built" };
      });
      onLoad({ filter: /\.css$/, namespace: "built" }, async ({ path }) => {
        const { metafile } = await esbuild.build(browserOptions({ ...options, entryPoints: [path], plugins: [] }));
        const [file = ""] = Object.keys(metafile.outputs);
        Object.assign(styles, metafile.outputs);
        return { contents: await exportFile(basename(file)), watchFiles: Object.keys(metafile.inputs) };
      });
      onEnd(({ metafile }) => {
        Object.assign(metafile?.outputs ?? {}, styles);
      });
    },
  };
}
