import type { Country } from "../../schemas/types.ts";
import { siteOf } from "../config/country-files.ts";
import type { Plugin } from "./load-country.ts";

/** Origins that replace those in the country files, by site code. */
export type Origins = ReadonlyMap<string, string>;

/** Lists the hosts that a country claims: its local host, those in its file, and that of its configured origin. */
export function hostsOf({ site = "", localHost, origin, hosts }: Partial<Country>, origins?: Origins): string[] {
  const named = [localHost, hostOf(origin), hostOf(origins?.get(site)), ...(Array.isArray(hosts) ? hosts : [])];
  return [...new Set(named.filter((host) => typeof host === "string"))];
}

function hostOf(origin = ""): string | undefined {
  return URL.parse(origin)?.hostname;
}

/** Finds codes and hosts that several countries claim. */
export function findClashes(plugins: Plugin[], origins?: Origins): string[] {
  return [
    ...findTwice("/site", plugins, ({ site }) => [site]),
    ...findTwice("/switcher/code", plugins, ({ switcher }) => [switcher?.code]),
    ...findTwice("/hosts", plugins, (data) => hostsOf(data, origins)),
  ];
}

/**
 * Finds values of a field that several countries claim, although only one may have them.
 * @param claimsOf - returns the values that a country claims
 * @returns each fault as `file /field message`
 */
function findTwice(field: string, plugins: Plugin[], claimsOf: (data: Partial<Country>) => unknown[]): string[] {
  const claims = plugins.flatMap(({ file, data }) =>
    claimsOf(data).flatMap((claim) =>
      typeof claim === "string" ? [{ claim, file, site: data.site ?? siteOf(file) }] : [],
    ),
  );
  return [...Map.groupBy(claims, ({ claim }) => claim)].flatMap(([claim, [first, ...others]]) =>
    others.map(({ file, site }) => `${file} ${field} ${claim} belongs to ${first?.site} and ${site}`),
  );
}
