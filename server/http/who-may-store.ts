import type { ServerResponse } from "node:http";
import type { RequestHandler } from "express";
import onHeaders from "on-headers";

/** Values of Cache-Control, by who may store an answer: from the widest audience to the narrowest. */
export const cacheControl = {
  /** Every cache: the answer depends on its address alone. */
  public: "public, max-age=60, s-maxage=300, stale-while-revalidate=600, stale-if-error=86400",
  /** Every cache, for a moment: something better is to come soon. */
  publicBriefly: "public, max-age=5",
  /** Nobody: the answer is made anew each time, as pages and service calls are. */
  page: "no-store",
  /** Nobody, and a shared cache least of all: the address is everybody's, the answer one visitor's. */
  person: "private, no-store",
} as const;

export type Audience = keyof typeof cacheControl;

const audiences = Object.keys(cacheControl);
const said = new WeakMap<ServerResponse, Audience>();

/**
 * Writes Cache-Control when the headers of an answer leave, by what `setAudience` was told of it. Where it was told
 * nothing, the answer keeps its own header.
 */
export function whoMayStore(): RequestHandler {
  return (_request, response, next) => {
    onHeaders(response, () => {
      const audience = said.get(response);
      if (audience) response.setHeader("Cache-Control", cacheControl[audience]);
    });
    next();
  };
}

/**
 * Says who may store an answer. When this is called several times, the narrowest audience counts
 * (test/server/services/preview-of.test.ts).
 */
export function setAudience(response: ServerResponse, audience: Audience): void {
  const before = said.get(response);
  if (before === undefined || audiences.indexOf(before) < audiences.indexOf(audience)) said.set(response, audience);
}

/** Says who may store the answers of all routes mounted behind this one, where they don't say it themselves. */
export function unlessSaid(audience: Audience): RequestHandler {
  return (_request, response, next) => {
    response.set("Cache-Control", cacheControl[audience]);
    next();
  };
}
