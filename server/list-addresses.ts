import type { Site } from "./sites/countries.ts";

/** Lists what to open in a browser, and with what to sign in to the demo, as lines for a terminal. */
export function listAddresses(port: number, sites: readonly Site[], signIns: readonly string[]): string {
  const shops = sites.map(({ localHost }) => `Shop      http://${localHost}:${port}/`);
  return ["", `Overview  http://localhost:${port}/`, ...shops, ...signIns, ""].join("\n");
}
