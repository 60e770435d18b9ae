import type { Request } from "express";
import { BadRequestError } from "../errors.ts";
import type { CountryRegistry, Site } from "./countries.ts";

/**
 * The site a request names: in its path, its query or by its host.
 * @returns undefined when it names none
 * @throws BadRequestError when it names an unknown one, or two different ones
 */
export function resolveSite(request: Request, countries: CountryRegistry): Site | undefined {
  const named = [request.params.site, request.query.site].filter((code) => code !== undefined);
  const [code] = named;
  if (code === undefined) return countries.forHost(request.hostname);
  if (named.some((other) => other !== code)) throw new BadRequestError("site is named twice, differently");
  return findSite(code, countries);
}

/** The site a service call names: in its query, its X-Site header or by its host. Otherwise as above. */
export function resolveServiceSite(request: Request, countries: CountryRegistry): Site | undefined {
  const header = request.get("X-Site");
  if (request.query.site !== undefined || header === undefined) return resolveSite(request, countries);
  return findSite(header, countries);
}

/** The site a page's form names: in its query, its hidden field or by its host. Otherwise as above. */
export function resolveFormSite(request: Request, countries: CountryRegistry): Site | undefined {
  const named: unknown = request.body?.site;
  if (request.query.site !== undefined || named === undefined) return resolveSite(request, countries);
  return findSite(named, countries);
}

function findSite(code: unknown, countries: CountryRegistry): Site {
  const site = typeof code === "string" ? countries.get(code) : undefined;
  if (site) return site;
  const message = `must be one of ${countries.sites.map((known) => known.site).join(", ")}`;
  throw new BadRequestError(`site ${message}`, [{ field: "site", message }]);
}
