import type { Request } from "express";
import type { CountryRegistry, Site } from "./countries.ts";
import { BadRequestError } from "./errors.ts";

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
  const site = typeof code === "string" ? countries.get(code) : undefined;
  if (!site) throw new BadRequestError(`site must be one of ${countries.sites.map((known) => known.site).join(", ")}`);
  return site;
}
