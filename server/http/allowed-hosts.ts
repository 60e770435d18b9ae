import { isIP } from "node:net";
import type { Request, RequestHandler } from "express";
import type { Env } from "../config/env.ts";
import { parseHostName } from "../platform/host-name.ts";
import type { Site } from "../sites/countries.ts";
import { setCachePolicy } from "./cache-control.ts";

/**
 * Lists the hosts that a service outside production answers, besides those of the machine itself.
 * @param sites - all known hosts of each site are listed
 */
export function listAllowedHosts(
  { host, allowedHosts }: Pick<Env, "host" | "allowedHosts">,
  sites: readonly Pick<Site, "hosts">[],
): string[] {
  return [host, ...allowedHosts, ...sites.flatMap(({ hosts }) => hosts)];
}

/**
 * Creates the check of a host, with or without a port. A page on the web can point its own name at this machine, and
 * would then read what its visitor's browser gets from here. So names that anybody may register are refused.
 * @param names - the allowed hosts, besides IP addresses, which no page on the web has as its name, and `localhost`
 * with its subdomains, which browsers resolve themselves: https://www.rfc-editor.org/rfc/rfc6761#section-6.3
 */
export function createHostCheck(names: readonly string[]): (host: string) => boolean {
  const known = new Set(names.flatMap((name) => parseHostName(name) ?? []));
  return (host) => {
    const name = parseHostName(host);
    if (name === undefined) return false;
    return known.has(name) || isIP(name.replace(/^\[|\]$/g, "")) > 0 || /^(.+\.)?localhost$/.test(name);
  };
}

/** Returns the text of the 403 for a host that isn't allowed. */
export function describeRefusedHost(host: string): string {
  return `This service doesn't answer the host ${host}. Outside production, add it to ALLOWED_HOSTS if it is yours.\n`;
}

/** Outside production, refuses requests to unknown hosts. */
export function refuseUnknownHosts(env: Env, sites: readonly Pick<Site, "hosts">[]): RequestHandler {
  const isAllowed = createHostCheck(listAllowedHosts(env, sites));
  return (request, response, next) => {
    const host = hostOf(request);
    if (env.production || host === undefined || isAllowed(host)) return next();
    setCachePolicy(response, "page");
    response.status(403).type("text/plain").send(describeRefusedHost(host));
  };
}

/**
 * Returns the host of a request: the one that a trusted proxy names, if any. HTTP/1.0 may name none, but no browser
 * does that.
 */
function hostOf(request: Request): string | undefined {
  const { hostname } = request;
  return parseHostName(hostname ?? "") ?? request.get("Host");
}
