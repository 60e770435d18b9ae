import { spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import esbuild, { type Plugin } from "esbuild";
import { browserOptions } from "./browser-bundle.ts";
import { addImages, writeManifest } from "./browser-files.ts";
import { assets, hashSources, manifestFile } from "./build-id.ts";

/** Rebuilds the browser's files at every change, and runs the server from its sources until it ends. */
export async function watchSources(): Promise<void> {
  await rm(assets, { recursive: true, force: true });
  const finish: Plugin = {
    name: "finish",
    setup: ({ onEnd }) =>
      onEnd(async ({ metafile, errors }) => {
        if (!metafile || errors.length > 0) return;
        await writeManifest(await hashSources(), await addImages(metafile.outputs), metafile.outputs);
      }),
  };
  const context = await esbuild.context(browserOptions({ sourcemap: "inline", plugins: [finish] }));
  await context.rebuild();
  await context.watch();

  const watched = ["countries/**/*", "locales/**/*", "schemas/**/*", manifestFile].map((path) => `--include=${path}`);
  const server = spawn("tsx", ["watch", "--clear-screen=false", ...watched, "server/main.ts"], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => server.kill(signal as NodeJS.Signals));
  server.on("exit", async (code) => {
    await context.dispose();
    process.exit(code ?? 0);
  });
}
