/**
 * Builds the service into dist/: server and countries for Node, hashed and compressed files for the browser.
 *
 *   node build.mjs           builds when a source has changed since the last build
 *   node build.mjs --force   builds anyway
 *   node build.mjs --sizes   prints what each file costs a visitor, too
 *   node build.mjs --pack    writes the packages to dist/packages/, too
 *   node build.mjs --start   stops before the build if a port of the service is taken
 *   node build.mjs --watch   runs the service, and shows each saved change in the open browser
 */
import { rm } from "node:fs/promises";
import { requireNode } from "./server/process/require-node.mjs";

requireNode();
// Imported late, because an old Node can't load TypeScript, and a start with nothing to build must load no bundler.
const { hashSources, readBuildId } = await import("./deploy/build/build-id.ts");

if (process.argv.includes("--watch")) {
  const { watchSources } = await import("./deploy/build/watch.ts");
  await watchSources().catch(giveUp);
} else {
  const id = await hashSources();
  if (process.argv.includes("--force") || (await readBuildId()) !== id) {
    if (process.argv.includes("--start")) await checkPorts();
    await build(id);
  }
  if (process.argv.includes("--sizes")) {
    const { printSizes } = await import("./deploy/build/bundle-sizes.ts");
    await printSizes();
  }
  if (process.argv.includes("--pack")) {
    const { pack } = await import("./deploy/build/package.ts");
    const { packClient } = await import("./deploy/build/client-package.ts");
    console.log(await pack());
    console.log(await packClient());
  }
}

async function checkPorts() {
  const { checkEnv } = await import("./server/config/env.ts");
  const { checkPorts } = await import("./server/process/ports.ts");
  await checkPorts(checkEnv(process.env).env).catch(giveUp);
}

function giveUp({ message }) {
  console.error(message);
  process.exit(1);
}

async function build(id) {
  const { bundleServer } = await import("./deploy/build/server-bundle.ts");
  const { bundleBrowser } = await import("./deploy/build/browser-bundle.ts");
  const { addImages, compressFiles, writeManifest } = await import("./deploy/build/browser-files.ts");
  const { writeSizes } = await import("./deploy/build/bundle-sizes.ts");
  const { copyData, writeTextSchemas } = await import("./deploy/build/data-files.ts");
  const { writeLicences } = await import("./deploy/build/licences.ts");
  const { writePackage } = await import("./deploy/build/package.ts");

  await rm("dist", { recursive: true, force: true });
  const [server, browser] = await Promise.all([bundleServer(), bundleBrowser(), copyData()]);
  const files = await addImages(browser);
  await writeTextSchemas();
  await compressFiles();
  await writeSizes(browser, files);
  await writeLicences({ ...server, ...browser });
  await writePackage();
  await writeManifest(id, files, browser);
}
