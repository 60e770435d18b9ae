import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { build } from "esbuild";
import { loadAssets } from "../../server/assets.ts";
import { createFragments } from "../../server/create-fragments.ts";
import { askFragment } from "../../server/fragments/fragment.ts";
import { loadTexts } from "../../server/i18n.ts";
import { createLogger } from "../../server/logger.ts";
import { loadLogos } from "../../server/logos.ts";
import { assetsFolder } from "../../server/root.ts";
import { loadCountries } from "../../server/sites/countries.ts";
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
  const logger = createLogger("silent");
  const texts = await loadTexts("locales", logger);
  const countries = await loadCountries({ folder: "countries", texts });
  const site = countries.get(of);
  if (!site) throw new Error(`no footer of ${of}`);
  const { footer } = createFragments({
    assets: await loadAssets(assetsFolder),
    countries,
    logos: loadLogos("client/footer/logos", logger),
    promotions: { current: () => undefined, previewed: async () => undefined },
    texts,
  });
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
