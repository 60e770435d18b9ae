import type { RequestHandler } from "express";
import { LRUCache } from "lru-cache";
import { day, second } from "../../client/rules/time.ts";
import type { Logger } from "../platform/logger.ts";

interface Deprecation {
  /** The first moment at which the route counts as deprecated. */
  since: Date;
  /** The first moment at which it may be gone; undefined if that isn't decided. */
  sunset?: Date;
  /** The section of the documents that names the replacement. */
  document: string;
}

/** Programs that are named at most once a day. */
const mostCallers = 100;

/**
 * Marks the answers of a route that a later major version removes (RFC 9745, RFC 8594), and logs once a day which
 * programs still call it, by the first product of their `User-Agent`. docs/update.md has the rule.
 */
export function deprecate({ since, sunset, document }: Deprecation, logger: Logger): RequestHandler {
  const named = new LRUCache<string, true>({ max: mostCallers, ttl: day });
  return (request, response, next) => {
    response.set("Deprecation", `@${Math.floor(since.getTime() / second)}`);
    if (sunset) response.set("Sunset", sunset.toUTCString());
    response.append("Link", `<${document}>; rel="deprecation"; type="text/html"`);
    const [caller] = /^[\w.-]{1,40}(?:\/[\d.]{1,20})?/.exec(request.get("User-Agent") ?? "") ?? ["unknown"];
    if (!named.has(caller)) {
      named.set(caller, true);
      logger.warn({ caller, route: request.route?.path, sunset: sunset?.toISOString() }, "deprecated route called");
    }
    next();
  };
}
