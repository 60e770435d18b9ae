import type { Request } from "express";
import { RequestError, StartError } from "../platform/errors.ts";
import { parseHostName } from "../platform/host-name.ts";
import type { CountryRegistry, Site } from "./countries.ts";

/** The parts of a request that may name a site. */
type SiteRequest = Pick<Request, "params" | "query" | "hostname" | "get" | "body">;

export type SiteResolver = ReturnType<typeof createSiteResolver>;

/**
 * Creates the functions that resolve the site of a request: from its path or query, then from the form field or header
 * of its kind, then from its host. All except `host` throw RequestError if a request names an unknown site or two
 * different ones. For fragments, only the header Host names the host: shared caches may store fragments, and no other
 * header is part of a cache key. For all other requests, a trusted proxy may name the host in X-Forwarded-Host.
 * @param defaultCode - the code of the site for requests that name none
 * @throws StartError if the default site doesn't exist
 */
export function createSiteResolver(countries: CountryRegistry, defaultCode: string) {
  const defaultSite = countries.get(defaultCode);
  if (!defaultSite) throw new StartError([`there is no country ${defaultCode}`]);
  /** The site of the request's host only. */
  const host = ({ hostname }: SiteRequest) => countries.forHost(hostname) ?? defaultSite;
  return {
    default: defaultSite,
    fragment,
    /** The site of a fragment's manifest or fallback. */
    podlet: (request: SiteRequest) => fragment(request) ?? defaultSite,
    page,
    /** The site of a form, which may name it in the field `site`; otherwise as for a page. */
    form: (request: SiteRequest) => find(unlessInQuery(request, request.body?.site)) ?? page(request),
    /** The site of a service call, which may name it in the header `X-Site`; otherwise as for a page. */
    call: (request: SiteRequest) => find(unlessInQuery(request, request.get("X-Site"))) ?? page(request),
    host,
  };

  function page(request: SiteRequest): Site {
    return named(request) ?? host(request);
  }

  /** The site of a fragment; undefined if the request names none. */
  function fragment(request: SiteRequest): Site | undefined {
    return named(request) ?? countries.forHost(parseHostName(request.get("Host") ?? ""));
  }

  /** Finds the site that the path or the query names; undefined when neither names one. */
  function named({ params, query }: SiteRequest): Site | undefined {
    const codes = [params.site, query.site].filter((code) => code !== undefined);
    if (codes.some((code) => code !== codes[0]))
      throw new RequestError("badRequest", "site is named twice, differently");
    return find(codes[0]);
  }

  /**
   * @returns undefined if no code is given
   */
  function find(code: unknown): Site | undefined {
    if (code === undefined) return undefined;
    const site = typeof code === "string" ? countries.get(code) : undefined;
    if (site) return site;
    const message = `must be one of ${countries.sites.map((known) => known.site).join(", ")}`;
    throw new RequestError("badRequest", `site ${message}`, { fields: [{ field: "site", message }] });
  }
}

function unlessInQuery({ query }: SiteRequest, code: unknown): unknown {
  return query.site === undefined ? code : undefined;
}
