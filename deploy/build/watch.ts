import { randomBytes } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import esbuild, {
  type BuildContext,
  type BuildOptions,
  type BuildResult,
  type Message,
  type OutputFile,
} from "esbuild";
import { develop } from "../../server/commands/dev/develop.ts";
import { StartError } from "../../server/platform/errors.ts";
import { isShopFile } from "../../server/platform/shop-folder.ts";
import { browserOptions } from "./browser-bundle.ts";
import { addImages, writeManifest } from "./browser-files.ts";
import { assets, dist } from "./build-id.ts";
import { copyData, isCopied } from "./data-files.ts";
import { serverOptions } from "./server-bundle.ts";

const sources = /^(?:client|countries|locales|schemas|server)(?:\/|$)|^brand\.json$/;

/**
 * Builds into a folder of its own, and runs the service from there. After a change, it updates both bundles. For texts,
 * countries, images and styles, the running service loads the new files; for code, a new process starts.
 * @throws StartError if the system refuses a port
 */
export async function watchSources(): Promise<void> {
  const { SHOP_DIR } = process.env;
  await rm(dist, { recursive: true, force: true });
  await mkdir(assets, { recursive: true });
  // The service doesn't archive files with these names for pages of earlier builds.
  const names = { entryNames: "[name]-[hash]-dev", chunkNames: "[name]-[hash]-dev" };
  const bundleBrowser = createBundler(() => browserOptions({ ...names, sourcemap: "inline", logLevel: "silent" }));
  // Packages stay outside the bundle, which is then rebuilt in a fraction of a second.
  const bundleServer = createBundler(() => serverOptions({ packages: "external", write: false, logLevel: "silent" }));
  const writeChanged = createWriter();
  // Undefined while it is outdated.
  let browser: BuildResult | undefined;
  let server: BuildResult | undefined;
  await develop({
    program: resolve(dist, "server/commands/dev/main.js"),
    variables: () => process.env,
    watched: [
      { folder: ".", counts: (path) => sources.test(path) },
      ...(SHOP_DIR ? [{ folder: SHOP_DIR, counts: isShopFile }] : []),
    ],
    async prepare(files) {
      await copyData();
      const bundled = files.filter((file) => !isCopied(file));
      if (bundled.some((file) => !/^(?:server|countries)\//.test(file))) browser = undefined;
      if (bundled.some((file) => !file.endsWith(".css"))) server = undefined;
      if (browser && server) return false;
      [browser, server] = await Promise.all([browser ?? bundleBrowser(), server ?? bundleServer()]);
      const outputs = browser.metafile?.outputs ?? {};
      await writeManifest(randomBytes(6).toString("hex"), await addImages(outputs), outputs);
      const changed = await writeChanged(server.outputFiles ?? []);
      // Schemas are read when code is loaded.
      return [...changed, ...files].some((file) => /^(?:server|schemas)\//.test(file));
    },
  });
}

/** Creates a function that rebuilds what has changed since its last call, including new entry points. */
function createBundler(optionsNow: () => BuildOptions): () => Promise<BuildResult> {
  let bundle: { context: BuildContext; entryPoints: string } | undefined;
  return async () => {
    const options = optionsNow();
    const entryPoints = String(options.entryPoints);
    if (bundle?.entryPoints !== entryPoints) {
      await bundle?.context.dispose();
      bundle = { context: await esbuild.context(options), entryPoints };
    }
    return bundle.context.rebuild().catch(({ errors }: { errors: readonly Message[] }) => {
      // The stylesheet of a nested bundle is also an entry point.
      throw new StartError(errors.filter(({ text }) => !text.startsWith("Build failed")).map(describe));
    });
  };
}

function describe({ text, location }: Message): string {
  return location ? `${location.file}:${location.line}:${location.column + 1} ${text}` : text;
}

/**
 * Creates a function that writes the files of a bundle that have changed since its last call, and removes those that no
 * longer exist.
 * @returns that function, which returns the paths of these files in the folder of the build
 */
function createWriter() {
  let written = new Map<string, string>();
  return async (files: readonly OutputFile[]) => {
    const now = new Map(files.map(({ path, hash }) => [path, hash]));
    const changed = files.filter(({ path, hash }) => written.get(path) !== hash);
    const gone = [...written.keys()].filter((path) => !now.has(path));
    await Promise.all(gone.map((path) => rm(path)));
    for (const { path, contents } of changed) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, contents);
    }
    written = now;
    return [...changed.map(({ path }) => path), ...gone].map((path) => relative(dist, path));
  };
}
