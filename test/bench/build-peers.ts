import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { build } from "esbuild";
import { readEnv } from "../../server/config/env.ts";
import { createContext, loadShop } from "../../server/context.ts";
import { createContent } from "../../server/features/content/index.ts";
import { createFooterFragment } from "../../server/features/footer/footer-fragment.tsx";
import { createPromotions } from "../../server/features/footer/promotions.ts";
import { createNewsletterBlocks } from "../../server/features/newsletter/newsletter-fragment.tsx";
import { createLogger } from "../../server/platform/logger.ts";
import { createMetrics } from "../../server/platform/metrics.ts";
import type { Server } from "./start-server.ts";

const folder = "test/bench/peers";
const built = `${folder}/built`;
const next = "node_modules/next/dist/bin/next";
const run = promisify(execFile);

/** Installs the packages of the servers that the service is compared with. */
export async function installPeers(): Promise<void> {
  if (existsSync(`${folder}/node_modules`)) return;
  console.log(`installing the packages of ${folder}`);
  await run("npm", ["ci", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund"]);
}

/** Bundles the footer for the other servers, with its props on a site. */
export async function buildPeers(site: string): Promise<void> {
  await installPeers();
  await mkdir(built, { recursive: true });
  await writeFile(`${built}/footer-props.json`, JSON.stringify(await footerProps(site)));
  await build({
    entryPoints: { footer: "client/features/footer/Footer.tsx", "whole-footer": `${folder}/whole-footer.tsx` },
    outdir: built,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node26",
    jsx: "automatic",
    // The servers bring their own React.
    external: ["react", "react-dom"],
    logLevel: "warning",
  });
  await run(process.execPath, [`../${next}`, "build"], {
    cwd: `${folder}/next`,
    env: { PATH: process.env.PATH, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
  });
}

/** Returns the props of the footer for a request without parameters. */
async function footerProps(of: string): Promise<object> {
  const [env, logger] = [readEnv({ DEMO: "off" }), createLogger({ level: "silent" })];
  const { shop } = await loadShop(env, logger, 0);
  const base = { env, logger, metrics: createMetrics(), readiness: { state: "ready" as const }, resources: [] };
  const context = createContext(base, shop);
  const site = context.countries.get(of);
  if (!site) throw new Error(`no footer of ${of}`);
  const promotions = createPromotions(
    [],
    { planned: async () => [], previewed: async () => undefined },
    context.logger,
  );
  const newsletter = createNewsletterBlocks(context).islands;
  const footer = createFooterFragment(context, newsletter, createContent(context).contents, promotions);
  const variant = await footer.prepare({}, site, { cookies: {} }, async () => undefined);
  return variant.build().props;
}

const expressPeer = (file: string) => ({ words: [`${folder}/${file}.mjs`] });

/** The servers that the service is compared with. `SOURCE` tells them the URL of the service's answer. */
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
