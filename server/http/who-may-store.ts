import type { ServerResponse } from "node:http";
import type { RequestHandler } from "express";
import onHeaders from "on-headers";
import { day, type Milliseconds, type Moment, minute, second } from "../../client/rules/time.ts";

/** How long a public answer may be shown: by a browser, by a shared cache, and beyond that by one. */
const longest = { browser: minute, shared: 5 * minute, whileRevalidating: 10 * minute, ifError: day };

/** How long a shared cache shows a public answer while the service is well. */
export const longestStored: Milliseconds = longest.shared + longest.whileRevalidating;

/** Values of Cache-Control, by who may store an answer: from the widest audience to the narrowest. */
export const cacheControl = {
  /** Every cache: the answer depends on its address alone. */
  public: publicFor(Infinity),
  /** Every cache, for a moment: something better is to come soon. */
  publicBriefly: "public, max-age=5",
  /** Nobody: the answer is made anew each time, as pages and service calls are. */
  page: "no-store",
  /** Nobody, and a shared cache least of all: the address is everybody's, the answer one visitor's. */
  person: "private, no-store",
} as const;

/** The value for a file whose name carries a hash of its content: a browser keeps it for a year. */
export const forGood = "public, max-age=31536000, immutable";

export type Audience = keyof typeof cacheControl;

const audiences = Object.keys(cacheControl);
const said = new WeakMap<ServerResponse, Audience>();
const nextChanges = new WeakMap<ServerResponse, Moment>();

/**
 * Writes Cache-Control when the headers of an answer leave, by what `setAudience` was told of it. Where it was told
 * nothing, the answer keeps its own header.
 */
export function whoMayStore(): RequestHandler {
  return (_request, response, next) => {
    onHeaders(response, () => {
      const audience = said.get(response);
      const until = nextChanges.get(response);
      if (audience === "public" && until !== undefined) response.setHeader("Cache-Control", publicUntil(until));
      else if (audience) response.setHeader("Cache-Control", cacheControl[audience]);
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

/** Says when a public answer changes, so that nobody shows it longer. */
export function setNextChange(response: ServerResponse, at: Moment): void {
  nextChanges.set(response, at);
}

/**
 * Gives the value of Cache-Control for a public answer that changes at a moment. A store shows it no longer, but where
 * the service fails.
 */
export function publicUntil(change: Moment): string {
  const left = change - Date.now();
  return left < longestStored ? publicFor(left) : cacheControl.public;
}

function publicFor(left: Milliseconds): string {
  const seconds = (time: Milliseconds) => Math.max(0, Math.floor(Math.min(time, left) / second));
  const shared = seconds(longest.shared);
  return [
    "public",
    `max-age=${seconds(longest.browser)}`,
    `s-maxage=${shared}`,
    `stale-while-revalidate=${seconds(longestStored) - shared}`,
    `stale-if-error=${longest.ifError / second}`,
  ].join(", ");
}

/** Says who may store the answers of all routes mounted behind this one, where they don't say it themselves. */
export function unlessSaid(audience: Audience): RequestHandler {
  return (_request, response, next) => {
    response.set("Cache-Control", cacheControl[audience]);
    next();
  };
}
