import type { RequestHandler } from "express";
import type { SiteResolver } from "../sites/resolve-site.ts";

/**
 * Lets a request count as secure where visitors reach its site by https, also when no proxy says so: cookies are then
 * kept from plain connections, however the proxy is set up.
 */
export function secureByOrigin(siteOf: Pick<SiteResolver, "host">): RequestHandler {
  return (request, _response, next) => {
    const isSecure = request.secure || siteOf.host(request).origin.startsWith("https:");
    Object.defineProperty(request, "secure", { value: isSecure });
    next();
  };
}
