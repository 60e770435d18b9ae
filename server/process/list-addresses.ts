import { styleText } from "node:util";
import packageJson from "../../package.json" with { type: "json" };
import { type Env, usesEmbedded } from "../config/env.ts";
import { withoutSecrets } from "../config/redact.ts";
import type { Logger } from "../platform/logger.ts";
import type { Site } from "../sites/countries.ts";

interface Addresses {
  env: Env;
  /** The port of the main listener. */
  port: number;
  sites: readonly Site[];
  /** Lines that print the credentials of the demo. */
  demoSignIns: readonly string[];
  /** The newsletter's emails; undefined if they aren't shown. */
  newsletter: { mails: unknown };
  /** The path of the page where staff sign in; empty if a real service has its own. */
  preview: { paths: readonly string[] };
}

/**
 * Logs that the service listens. In the demo and on a terminal, also prints the addresses to open.
 * @param build - the build of the browser files
 */
export function announceService(opened: Addresses & { build: string }, logger: Logger): void {
  const { env, port, sites, build } = opened;
  logger.info({ host: env.host, port, sites: sites.length, version: packageJson.version, build }, "listening");
  const onTerminal = process.stdout.isTTY && !env.production;
  // Printed last, where people look for the address to open.
  if (env.demo || onTerminal) process.stdout.write(`${listAddresses(opened, onTerminal)}\n`);
}

/**
 * Lists the addresses to open in a browser and the credentials of the demo, in the order in which people need them.
 * @param onTerminal - whether to list briefly, with the address of the shop at the end, where a terminal shows it
 * best
 * @returns lines with a label and its purpose; the label is faint on terminals that support it
 */
export function listAddresses(
  { env, port, sites, demoSignIns, newsletter, preview }: Addresses,
  onTerminal = false,
): string {
  const own = `http://localhost:${port}`;
  const isDefault = ({ site }: Site) => site === env.defaultSite;
  const ordered = [...sites.filter(isDefault), ...sites.filter((site) => !isDefault(site))];
  const shops = ordered.map(({ localHost }) => `http://${localHost}:${port}`);
  const overview = env.overview ? [`Overview  ${own}/`] : [];
  const homes = shops.map((address) => `Shop      ${address}/`);
  const mails = `Mails     ${newsletter.mails ? `${own}/outbox` : mailTarget()}`;
  const all = [
    ...overview,
    ...homes,
    ...demoSignIns,
    mails,
    ...(env.opsPort > 0 ? [`Metrics   http://localhost:${env.opsPort}/metrics`] : []),
    ...(env.overview ? [`Widgets   ${own}/widgets`] : []),
    ...preview.paths.map((path) => `Preview   ${shops[0]}${path}`),
  ];
  // Without the demo, the shop has no home page here.
  const home = env.demo || !env.overview ? homes.slice(0, 1) : [];
  const lines = onTerminal ? [...demoSignIns, mails, ...overview, ...home] : all;
  return ["", ...lines.map((line) => line.replace(/^\w+/, (label) => styleText("dim", label))), ""].join("\n");

  function mailTarget(): string {
    if (!usesEmbedded(env, "newsletter")) return "sent by the real newsletter service";
    return env.smtpUrl ? withoutSecrets(env.smtpUrl) : `files in ${env.dataDir}/outbox`;
  }
}
