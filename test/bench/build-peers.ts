import { mkdir, writeFile } from "node:fs/promises";
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

/** Bundles the footer for the other servers, with its props on a site. */
export async function buildPeers(site: string): Promise<void> {
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
    external: ["react", "react-dom"],
    logLevel: "warning",
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
    [site],
    { planned: async () => [], previewed: async () => undefined },
    context.logger,
  );
  const groups = { stateOf: () => undefined, want: () => undefined };
  const newsletter = createNewsletterBlocks(context).islands;
  const footer = createFooterFragment(
    context,
    newsletter,
    createContent(context, () => "").contents,
    promotions,
    groups,
  );
  const variant = await footer.prepare({}, site, { cookies: {} }, async () => undefined);
  return variant.build().props;
}

/** The servers that the service is compared with. `SOURCE` tells them the URL of the service's answer. */
export const peers = {
  logged: { title: "Express, constant bytes, headers and log line", words: [`${folder}/express-logged.mjs`] },
  react: { title: "Express, React's stream of the whole tree", words: [`${folder}/express-react.mjs`] },
  hono: { title: "Hono, React's string of the whole tree", words: [`${folder}/hono-react.mjs`] },
} satisfies Record<string, Server>;
