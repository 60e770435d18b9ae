import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { build } from "esbuild";
import { createFragments } from "../../server/create-fragments.ts";
import { readEnv } from "../../server/env.ts";
import { askFragment } from "../../server/fragments/fragment.ts";
import { createLogger } from "../../server/logger.ts";
import { createMetrics } from "../../server/metrics.ts";
import { loadParts } from "../../server/parts.ts";
import type { Server } from "./start-server.ts";

const folder = "test/bench/peers";
const built = `${folder}/built`;
const next = "node_modules/next/dist/bin/next";
const run = promisify(execFile);

/** Installs what isn't the service's: the servers that it is compared with, and what else measures it. */
export async function installPeers(): Promise<void> {
  if (existsSync(`${folder}/node_modules`)) return;
  console.log(`installing the packages of ${folder}`);
  await run("npm", ["ci", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund"]);
}

/** Bundles the footer for the servers that render it, with the props that it has on a site. */
export async function buildPeers(site: string): Promise<void> {
  await installPeers();
  await mkdir(built, { recursive: true });
  await writeFile(`${built}/footer-props.json`, JSON.stringify(await footerProps(site)));
  await build({
    entryPoints: { footer: "client/footer/Footer.tsx", "whole-footer": `${folder}/whole-footer.tsx` },
    outdir: built,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node26",
    jsx: "automatic",
    // The servers' own React has to render it.
    external: ["react", "react-dom"],
    logLevel: "warning",
  });
  await run(process.execPath, [`../${next}`, "build"], {
    cwd: `${folder}/next`,
    env: { PATH: process.env.PATH, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
  });
}

/** Builds what the footer shows to a request without parameters. */
async function footerProps(of: string): Promise<object> {
  const process = {
    logger: createLogger({ level: "silent" }),
    metrics: createMetrics(),
    readiness: { state: "ready" },
  } as const;
  const parts = await loadParts(readEnv({ DEMO: "off" }), process, 0);
  const site = parts.countries.get(of);
  if (!site) throw new Error(`no footer of ${of}`);
  const promotions = { current: () => undefined, nextChange: () => Infinity, previewed: async () => undefined };
  const { footer } = createFragments({ ...parts, promotions });
  const variant = await askFragment(footer, {}).prepare(site, { cookies: {} }, async () => undefined);
  return variant.build().props;
}

const expressPeer = (file: string) => ({ words: [`${folder}/${file}.mjs`] });

/** What the service is compared with. Each takes the address of the service's answer as `SOURCE`. */
export const peers = {
  logged: { title: "Express, constant bytes, headers and log line", ...expressPeer("express-logged") },
  constant: { title: "Express, constant bytes", ...expressPeer("express-constant") },
  react: { title: "Express, React's stream of the whole tree", ...expressPeer("express-react") },
  podlet: { title: "Podium podlet", ...expressPeer("podlet") },
  next: {
    title: "Next.js",
    words: [`../${next}`, "start", "--hostname", "127.0.0.1", "--port", "{port}"],
    cwd: `${folder}/next`,
  },
} satisfies Record<string, Server>;
