import type { Request } from "express";
import { RequestError, StartError } from "../errors.ts";
import { hostNameOf } from "../http/host.ts";
import type { CountryRegistry, Site } from "./countries.ts";

/** What of a request may name a site. */
type SiteRequest = Pick<Request, "params" | "query" | "hostname" | "get" | "body">;

/**
 * Tells of which site a request is. Its path or its query comes first, then what each kind of request may name it by,
 * then its host. All but `host` throw RequestError when a request names an unknown site, or two different ones.
 *
 * A fragment's host is the one in the header Host, as caches may keep fragments, and take no other header for a part of
 * the address. Everywhere else a trusted proxy may name the host in X-Forwarded-Host.
 */
export interface SiteResolver {
  /** The site of a fragment; undefined when the request names none. */
  fragment(request: SiteRequest): Site | undefined;
  /** The site of a fragment's manifest or fallback; the default one when the request names none. */
  podlet(request: SiteRequest): Site;
  /** The site of a page; the default one when the request names none. */
  page(request: SiteRequest): Site;
  /** The site of a page's form, which may name it in its field `site`; else as for a page. */
  form(request: SiteRequest): Site;
  /** The site of a service call, which may name it in its header `X-Site`; else as for a page. */
  call(request: SiteRequest): Site;
  /** The site whose host was asked, whatever else the request names; else the default one. */
  host(request: SiteRequest): Site;
}

/**
 * Creates the resolver of a service's sites.
 * @param defaultCode - code of the site of requests that name none
 * @throws StartError when there is no such site
 */
export function createSiteResolver(countries: CountryRegistry, defaultCode: string): SiteResolver {
  const defaultSite = findDefault(countries, defaultCode);
  return {
    fragment,
    podlet: (request) => fragment(request) ?? defaultSite,
    page,
    form: (request) => find(unlessInQuery(request, request.body?.site)) ?? page(request),
    call: (request) => find(unlessInQuery(request, request.get("X-Site"))) ?? page(request),
    host: ({ hostname }) => countries.forHost(hostname) ?? defaultSite,
  };

  function page(request: SiteRequest): Site {
    return named(request) ?? countries.forHost(request.hostname) ?? defaultSite;
  }

  function fragment(request: SiteRequest): Site | undefined {
    return named(request) ?? countries.forHost(hostNameOf(request.get("Host") ?? ""));
  }

  /** Finds the site that the path or the query names; undefined when neither does. */
  function named({ params, query }: SiteRequest): Site | undefined {
    const codes = [params.site, query.site].filter((code) => code !== undefined);
    if (codes.some((code) => code !== codes[0]))
      throw new RequestError("badRequest", "site is named twice, differently");
    return find(codes[0]);
  }

  /** @returns undefined when no code is given */
  function find(code: unknown): Site | undefined {
    if (code === undefined) return undefined;
    const site = typeof code === "string" ? countries.get(code) : undefined;
    if (site) return site;
    const message = `must be one of ${countries.sites.map((known) => known.site).join(", ")}`;
    throw new RequestError("badRequest", `site ${message}`, { fields: [{ field: "site", message }] });
  }
}

function findDefault(countries: CountryRegistry, code: string): Site {
  const site = countries.get(code);
  if (!site) throw new StartError([`there is no country ${code}`]);
  return site;
}

function unlessInQuery({ query }: SiteRequest, code: unknown): unknown {
  return query.site === undefined ? code : undefined;
}
