import type { ServerResponse } from "node:http";
import type { RequestHandler } from "express";
import { day, type Milliseconds, type Moment, minute, second } from "../../client/rules/time.ts";

/**
 * How long a public response stays fresh in a browser, how long in a shared cache, and how long a shared cache may use
 * it after that.
 */
const lifetimes = { browser: minute, shared: 5 * minute, whileRevalidating: 10 * minute, ifError: day };

/** How long a shared cache may show a public response while the service is up. */
export const longestStored: Milliseconds = lifetimes.shared + lifetimes.whileRevalidating;

/** The values of Cache-Control by policy, from the most to the least cacheable. */
const values = {
  /** Files whose URLs carry a hash of their content. */
  immutable: "public, max-age=31536000, immutable",
  /** Responses that depend only on their URL. */
  public: publicUntil(Infinity),
  /** Public responses that replace a better one for a short time. */
  brief: "public, max-age=5",
  /** Pages and service calls. */
  page: "no-store",
  /** Responses to one visitor at a URL that is otherwise public. */
  private: "private, no-store",
} as const;

export type CachePolicy = keyof typeof values;

const policies = Object.keys(values);
const applied = new WeakMap<ServerResponse, CachePolicy>();

/**
 * Sets Cache-Control. A policy never replaces a stricter one that was set before.
 * @param until - when a public response changes; unless the service fails, no cache shows it longer
 */
export function setCachePolicy(response: ServerResponse, policy: CachePolicy, until: Moment = Infinity): void {
  const before = applied.get(response);
  if (before !== undefined && policies.indexOf(before) > policies.indexOf(policy)) return;
  applied.set(response, policy);
  response.setHeader("Cache-Control", policy === "public" ? publicUntil(until) : values[policy]);
}

/** Applies a policy to the responses of all later routes. */
export function cachePolicy(policy: CachePolicy): RequestHandler {
  return (_request, response, next) => {
    setCachePolicy(response, policy);
    next();
  };
}

/**
 * Returns the Cache-Control value of a public response that changes at a moment: https://www.rfc-editor.org/rfc/rfc5861
 * for the two stale directives.
 */
export function publicUntil(until: Moment): string {
  const left = until - Date.now();
  const seconds = (time: Milliseconds) => Math.max(0, Math.floor(Math.min(time, left) / second));
  const shared = seconds(lifetimes.shared);
  return [
    "public",
    `max-age=${seconds(lifetimes.browser)}`,
    `s-maxage=${shared}`,
    `stale-while-revalidate=${seconds(longestStored) - shared}`,
    `stale-if-error=${lifetimes.ifError / second}`,
  ].join(", ");
}

/** The value of Clear-Site-Data that clears only the browser's cache. */
export const clearedCache = '"cache"';

/**
 * Makes the browser drop its cached pages of this origin at a logout, so that the Back button shows no page of the
 * account. Cookies and storage stay, because some, such as a guest's bag, belong to the shop around this service.
 * https://www.w3.org/TR/clear-site-data/
 */
export function clearBrowserCache(response: ServerResponse): void {
  response.setHeader("Clear-Site-Data", clearedCache);
}
