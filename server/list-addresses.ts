import { styleText } from "node:util";
import { mailsOf } from "./describe-configuration.ts";
import type { Env } from "./env.ts";
import type { MailReader } from "./services/mail-reader.ts";
import { type PreviewService, previewPath } from "./services/preview-service.ts";
import type { Site } from "./sites/countries.ts";

interface Addresses {
  env: Pick<Env, "dataDir" | "defaultSite" | "opsPort" | "overview" | "smtpUrl" | "upstreams">;
  port: number;
  sites: readonly Site[];
  shop: {
    /** The newsletter's mails; undefined where they aren't shown. */
    mails: MailReader | undefined;
    /** The embedded preview service; undefined where a real one has its own page. */
    preview: PreviewService | undefined;
    /** Lines that tell the credentials of the demo. */
    signIns: readonly string[];
  };
}

/**
 * Lists what to open in a browser, and with what to sign in to the demo, in the order in which people want it.
 * @returns lines of a label and what it is for; the label is faint on a terminal that shows that
 */
export function listAddresses({ env, port, sites, shop }: Addresses): string {
  const own = `http://localhost:${port}`;
  const [first, others] = [sites.filter(isDefault), sites.filter((site) => !isDefault(site))];
  const shops = [...first, ...others].map(({ localHost }) => `http://${localHost}:${port}`);
  const lines = [
    ...(env.overview ? [`Overview  ${own}/`] : []),
    ...shops.map((address) => `Shop      ${address}/`),
    ...shop.signIns,
    `Mails     ${shop.mails ? `${own}/outbox` : mailsOf(env)}`,
    ...(env.opsPort > 0 ? [`Metrics   http://localhost:${env.opsPort}/metrics`] : []),
    ...(env.overview ? [`Widgets   ${own}/widgets`] : []),
    ...(shop.preview ? [`Preview   ${shops[0]}${previewPath}`] : []),
  ];
  return ["", ...lines.map((line) => line.replace(/^\w+/, (label) => styleText("dim", label))), ""].join("\n");

  function isDefault({ site }: Site): boolean {
    return site === env.defaultSite;
  }
}
