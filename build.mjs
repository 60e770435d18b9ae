/**
 * Builds the service into dist/: server and countries for Node, hashed and compressed files for the browser.
 *
 *   node build.mjs           builds when a source has changed since the last build
 *   node build.mjs --force   builds anyway
 *   node build.mjs --sizes   prints what each file costs a visitor, too
 *   node build.mjs --watch   builds the browser files at every change, and runs the server from its sources
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { appendFile, cp, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { decode, encode } from "@jridgewell/sourcemap-codec";
import esbuild from "esbuild";
import { describeTexts } from "./schemas/describe-texts.mjs";
import { oldestNode, requireNode } from "./server/require-node.mjs";

requireNode();
// What an old Node can't load.
const { globSync } = await import("node:fs");
const { drawSprite } = await import("./client/icons/draw-sprite.mjs");
const { createSbom } = await import("./deploy/bundled/create-sbom.ts");
const { findPackages, packageFolder, readPackage } = await import("./deploy/bundled/find-packages.ts");
const { writeNotices } = await import("./deploy/bundled/write-notices.ts");
const { builtInStyle } = await import("./server/brand/brand-style.ts");

const assets = "dist/assets";
const boot = "client/boot.ts";
/** The script that boot loads for visitors with a session. */
const session = "client/session/keep-session.ts";
const manifestFile = join(assets, "manifest.json");
const bundlesFile = "dist/bundles.json";
const brandFile = "brand.json";
const iconPackage = "node_modules/@iconify-json/tabler";
const sources = ["server", "client", "countries", "deploy", "locales", "schemas"];
const product = JSON.parse(await readFile("package.json", "utf8"));

if (process.argv.includes("--watch")) await watch();
else {
  await build(process.argv.includes("--force"));
  if (process.argv.includes("--sizes")) printSizes(JSON.parse(await readFile(bundlesFile, "utf8")));
}

async function build(force) {
  const id = await buildId();
  if (!force && (await builtId()) === id) return;
  await rm("dist", { recursive: true, force: true });
  const [server, assets] = await Promise.all([buildServer(), buildAssets(id), copyData()]);
  await tellOfPackages([...server, ...assets]);
}

/**
 * Bundles the server with its packages, and React in its production form: `dist` is all that the service needs.
 * @returns what esbuild says of the built files
 */
async function buildServer() {
  const { metafile } = await esbuild.build({
    entryPoints: [
      "server/main.ts",
      "server/commands.ts",
      "server/shop/store/sqlite-worker.ts",
      ...globSync(["countries/*.ts", "server/shop/store/migrations/*.ts"]),
    ],
    outdir: "dist",
    outbase: ".",
    chunkNames: "server/[name]-[hash]",
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: `node${oldestNode}`,
    jsx: "automatic",
    // Names stay as they are, for the stacks in the log.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: "none",
    sourcemap: true,
    sourcesContent: false,
    // What pg tries to load, and does without.
    external: ["pg-native"],
    plugins: [requireBuiltIns(), leaveOutEncodings()],
    define: { "process.env.NODE_ENV": '"production"' },
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    metafile: true,
    logLevel: "warning",
  });
  await Promise.all(globSync("dist/{server,countries}/**/*.js.map").map(mapOwnCode));
  return Object.values(metafile.outputs);
}

/**
 * Takes Node's modules without a look at all they export, as an import does: that of node:http would load the whole of
 * fetch, for 7 MB.
 */
function requireBuiltIns() {
  return {
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
}

/** Leaves out the tables of Chinese, Japanese and Korean encodings, a megabyte: every body that is read is UTF-8. */
function leaveOutEncodings() {
  return {
    name: "leave-out-encodings",
    setup({ onLoad }) {
      onLoad({ filter: /iconv-lite.encodings.dbcs-data\.js$/ }, () => ({ contents: "module.exports = {}" }));
    },
  };
}

/**
 * Keeps of a source map the places in own code, and of packages no more than which file it is: Node holds the map in
 * memory from the first error on, and all places would take ten times as much.
 */
async function mapOwnCode(file) {
  const map = JSON.parse(await readFile(file, "utf8"));
  let last;
  const lines = decode(map.mappings).map((line) =>
    line.flatMap((place) => {
      const [column, source] = place;
      const isFirst = source !== last;
      last = source;
      if (!map.sources[source]?.includes("node_modules/")) return [place];
      return isFirst ? [[column, source, 0, 0]] : [];
    }),
  );
  await writeFile(file, JSON.stringify({ ...map, mappings: encode(lines) }));
}

/** @returns what esbuild says of the built files */
async function buildAssets(id) {
  const { metafile } = await esbuild.build(clientOptions({ minify: true, external: [`./${basename(session)}`] }));
  const outputs = await bundleAlone(boot, await bundleAlone(session, metafile.outputs));
  await Promise.all(Object.entries(outputs).map(([file, output]) => addNotices(file, output)));
  await writeSizes(outputs, await finishAssets({ outputs }, id, compress));
  return Object.values(outputs);
}

/** Puts the licences of the packages in a script beside it, and says so at its end. */
async function addNotices(file, output) {
  const packages = await findPackages([output]);
  if (packages.length === 0) return;
  const notices = `${file}.LEGAL.txt`;
  await writeFile(notices, writeNotices(packages));
  await appendFile(file, `/*! Licenses: ${basename(notices)} */\n`);
}

/** Says what is in the built files and isn't ours: the packages' licences, and the list of them for programs. */
async function tellOfPackages(outputs) {
  const packages = [...(await findPackages(outputs)), await readPackage(iconPackage)];
  const lock = JSON.parse(await readFile("package-lock.json", "utf8"));
  await writeFile("dist/THIRD-PARTY-NOTICES.txt", writeNotices(packages));
  await writeFile("dist/sbom.json", JSON.stringify(createSbom(product, packages, lock), null, 2));
}

/**
 * Bundles a small script by itself, in place of the split one if there is one: split from the rest it would import the
 * bundler's runtime, which only the chunks need, and what it shares with others, and so cost every page requests
 * (test/build/budgets.test.ts).
 * @param built - outputs so far, with all that the script imports later
 * @returns all outputs
 */
async function bundleAlone(script, built) {
  const isSplit = ([, { entryPoint }]) => entryPoint === script;
  await Promise.all(
    Object.entries(built)
      .filter(isSplit)
      .map(([file]) => rm(file)),
  );
  const importBuilt = {
    name: "import-built",
    setup: ({ onResolve }) =>
      onResolve({ filter: /./ }, ({ kind, path, resolveDir }) => {
        if (kind !== "dynamic-import") return;
        const source = relative(import.meta.dirname, join(resolveDir, path));
        const [file] = Object.entries(built).find(([, { entryPoint }]) => entryPoint === source);
        return { path: `./${basename(file)}`, external: true };
      }),
  };
  const options = { minify: true, splitting: false, entryPoints: [script], plugins: [importBuilt] };
  const { metafile } = await esbuild.build(clientOptions(options));
  return { ...Object.fromEntries(Object.entries(built).filter((output) => !isSplit(output))), ...metafile.outputs };
}

/**
 * Finishes the assets folder with images, sprite and the manifest.
 * @param lastly - what else is to be done before the manifest says that all is there
 * @returns the built name of every file by its name in client/
 */
async function finishAssets(metafile, id, lastly = async () => {}) {
  const files = { ...bundledFiles(metafile), ...(await hashImages()), "icons.svg": await writeSprite() };
  await lastly();
  await writeFile(manifestFile, JSON.stringify({ build: id, files, branded: brandedFiles(metafile) }, null, 2));
  return files;
}

/** Lists the stylesheets that have the tokens of all pages, by their names in client/. */
function brandedFiles({ outputs }) {
  return Object.values(outputs)
    .filter(({ entryPoint, inputs }) => entryPoint && brandFile in inputs)
    .map(({ entryPoint }) => basename(entryPoint));
}

function clientOptions(options) {
  return {
    entryPoints: [boot, "client/gallery.ts", "client/code/copy-code.ts", ...findStylesheets()],
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    outdir: assets,
    bundle: true,
    splitting: true,
    format: "esm",
    target: product.browserslist.map((browser) => browser.toLowerCase().replace(" >= ", "")),
    jsx: "automatic",
    metafile: true,
    legalComments: "none",
    logLevel: "warning",
    ...options,
    plugins: [styleBrand(), nameBuilt(options), ...(options.plugins ?? [])],
  };
}

/** Lists the stylesheets that no other one imports. */
function findStylesheets() {
  const files = globSync("client/**/*.css");
  const imported = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/^@import "(.+)";/gm)].map(([, path]) => join(dirname(file), path)),
  );
  return files.filter((file) => !imported.includes(file)).sort();
}

/** Writes the built-in brand into the stylesheets that import it: `brand.json`, or `brand.json?variants`. */
function styleBrand() {
  return {
    name: "style-brand",
    setup: ({ onLoad }) =>
      onLoad({ filter: /[/\\]brand\.json$/ }, async ({ path, suffix }) => {
        const brand = JSON.parse(await readFile(path, "utf8"));
        const contents = builtInStyle(brand, suffix === "?variants" ? "variants" : "pages");
        return { contents, loader: "css", watchFiles: [path] };
      }),
  };
}

/**
 * Tells a script under which name a stylesheet or the sprite is built, for what no markup of the server links to:
 * `import { file } from "./preview.css?built"`.
 */
function nameBuilt(options) {
  const styles = {};
  const exportFile = (name) => `export const file = ${JSON.stringify(name)};`;
  return {
    name: "name-built",
    setup({ onResolve, onLoad, onEnd }) {
      onResolve({ filter: /\?built$/ }, ({ path, resolveDir }) => {
        return {
          path: relative(import.meta.dirname, join(resolveDir, path.replace("?built", ""))),
          namespace: "built",
        };
      });
      onLoad({ filter: /\.css$/, namespace: "built" }, async ({ path }) => {
        const { metafile } = await esbuild.build(clientOptions({ ...options, entryPoints: [path], plugins: [] }));
        const [file] = Object.keys(metafile.outputs);
        Object.assign(styles, metafile.outputs);
        return { contents: exportFile(basename(file)), watchFiles: Object.keys(metafile.inputs) };
      });
      onLoad({ filter: /icons\.svg$/, namespace: "built" }, async () => {
        return { contents: exportFile(await writeSprite()) };
      });
      onEnd(({ metafile }) => {
        Object.assign(metafile?.outputs ?? {}, styles);
      });
    },
  };
}

/** Gives the name of the file that each entry became. */
function bundledFiles({ outputs }) {
  return Object.fromEntries(
    Object.entries(outputs)
      .filter(([, output]) => output.entryPoint)
      .map(([file, { entryPoint }]) => [basename(entryPoint).replace(/\.tsx?$/, ".js"), basename(file)]),
  );
}

async function hashImages() {
  const images = globSync("client/*/images/*.svg").map(async (file) => {
    return [basename(file), await writeHashed(basename(file), await readFile(file, "utf8"))];
  });
  return Object.fromEntries(await Promise.all(images));
}

async function writeSprite() {
  const notices = await writeHashed("icons-license.txt", writeNotices([await readPackage(iconPackage)]));
  return writeHashed("icons.svg", await drawSprite(notices));
}

async function writeHashed(name, content) {
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 8).toUpperCase();
  const file = name.replace(/(\.\w+)$/, `-${hash}$1`);
  await mkdir(assets, { recursive: true });
  await writeFile(join(assets, file), content);
  return file;
}

async function compress() {
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  await Promise.all(
    globSync(`${assets}/*.{js,css,svg}`).map(async (file) => {
      const content = await readFile(file);
      await writeFile(`${file}.br`, await promisify(brotliCompress)(content, quality));
      await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
    }),
  );
}

async function copyData() {
  await cp("locales", "dist/locales", { recursive: true });
  await cp("schemas", "dist/schemas", { recursive: true, filter: (path) => !path.endsWith(".mjs") });
  await mkdir("dist/schemas/locales");
  for (const [namespace, schema] of Object.entries(await describeTexts("locales")))
    await writeFile(`dist/schemas/locales/${namespace}.schema.json`, JSON.stringify(schema, null, 2));
  for (const folder of ["client/footer/logos", "client/newsletter/pictures", "deploy/edge"])
    await cp(folder, join("dist", folder), { recursive: true });
}

/** Hashes every source: the id of the build, which is equal for equal sources on every machine. */
async function buildId() {
  const hash = createHash("sha256");
  const files = [
    ...sources.flatMap((folder) => globSync(`${folder}/**/*.*`)),
    "build.mjs",
    brandFile,
    "package.json",
    "package-lock.json",
  ];
  for (const file of files.sort()) hash.update(file).update(await readFile(file));
  return hash.digest("hex").slice(0, 12);
}

async function builtId() {
  return existsSync(manifestFile) ? JSON.parse(await readFile(manifestFile, "utf8")).build : undefined;
}

/** Keeps what each file costs a visitor, for the budgets: with it comes all that it imports at once. */
async function writeSizes(outputs, names) {
  const bundles = Object.entries(names).map(async ([name, file]) => {
    const files = withImports(join(assets, file), outputs);
    const inputs = files.flatMap((path) => Object.keys(outputs[path]?.inputs ?? {}));
    const packages = inputs.flatMap((path) => packageFolder(path)?.replace(/.*node_modules\//, "") ?? []);
    const sizes = await Promise.all(files.map(async (path) => [basename(path), await sizesOf(path)]));
    return { name, packages: [...new Set(packages)].sort(), files: Object.fromEntries(sizes) };
  });
  await writeFile(bundlesFile, JSON.stringify(await Promise.all(bundles), null, 2));
}

function printSizes(bundles) {
  console.log("    raw    gzip  brotli  (kB, with everything imported at once)");
  for (const { name, files } of bundles) {
    const sizes = Object.values(files);
    const columns = ["raw", "gzip", "brotli"].map((column) => sizes.reduce((sum, size) => sum + size[column], 0));
    const row = columns.map((bytes) => (bytes / 1024).toFixed(1).padStart(7)).join(" ");
    console.log(`${row}  ${name}: ${Object.keys(files).join(", ")}`);
  }
}

/** Lists a built file and all that the browser loads with it. */
function withImports(file, outputs, found = new Set()) {
  if (found.has(file)) return [...found];
  found.add(file);
  const imports = outputs[file]?.imports ?? [];
  for (const { path, kind, external } of imports) {
    if (kind === "import-statement" && !external) withImports(path, outputs, found);
  }
  return [...found];
}

async function sizesOf(file) {
  const [raw, gz, br] = await Promise.all([stat(file), stat(`${file}.gz`), stat(`${file}.br`)]);
  return { raw: raw.size, gzip: gz.size, brotli: br.size };
}

async function watch() {
  await rm(assets, { recursive: true, force: true });
  const finish = {
    name: "finish",
    setup: ({ onEnd }) =>
      onEnd(async ({ metafile, errors }) => {
        if (errors.length === 0) await finishAssets(metafile, await buildId());
      }),
  };
  const context = await esbuild.context(clientOptions({ sourcemap: "inline", plugins: [finish] }));
  await context.rebuild();
  await context.watch();

  const watched = ["countries", "locales", "schemas"].map((folder) => `--include=${folder}/**/*`);
  const server = spawn(
    "tsx",
    ["watch", "--clear-screen=false", ...watched, `--include=${manifestFile}`, "server/main.ts"],
    {
      stdio: "inherit",
    },
  );
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => server.kill(signal));
  server.on("exit", async (code) => {
    await context.dispose();
    process.exit(code ?? 0);
  });
}
