import type { MailReader } from "./services/mail-reader.ts";
import type { Site } from "./sites/countries.ts";

interface Addresses {
  port: number;
  sites: readonly Site[];
  /** Whether the overview is served. */
  overview: boolean;
  /** The newsletter's mails; undefined where they aren't shown. */
  mails: MailReader | undefined;
  signIns: readonly string[];
}

/** Lists what to open in a browser, and with what to sign in to the demo, as lines for a terminal. */
export function listAddresses({ port, sites, overview, mails, signIns }: Addresses): string {
  const shops = sites.map(({ localHost }) => `Shop      http://${localHost}:${port}/`);
  return [
    "",
    ...(overview ? [`Overview  http://localhost:${port}/`] : []),
    ...shops,
    ...(mails ? [`Mails     http://localhost:${port}/outbox`] : []),
    ...signIns,
    "",
  ].join("\n");
}
