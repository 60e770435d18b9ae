/**
 * A Cloudflare Worker in front of your pages and of this service. Cloudflare keeps the fragments for as long as the
 * service says.
 *
 * A page includes a fragment by
 *   <esi:include src="/fragments/footer/DE"/>
 * An unavailable one leaves nothing. The copies have tags, such as `country-DE`, by which the service purges them.
 */

import { createFragments } from "@storefront-fragments/client";

// Set these: the variables FRAGMENTS and PAGES of the Worker, such as http://fragments:3000, without a path.

/** The styles, scripts and pictures that fragments load. Cloudflare keeps them, because their addresses carry hashes. */
const files = /^\/(assets|service\/(footer-images|newsletterfrontend\/newslettersubscriptionform))\//;

/** The calls of fragments in the browser, and the service's pages. All other paths are your shop's. */
const ours =
  /^\/(service\/(newsletter\/api|promotion|customerfrontenddata|login|preview|abtestfrontend)\/|newsletter(\/|$)|(\.well-known\/(security\.txt|change-password)|subscribenewsletter|view|countries|login(\/callback|\/backchannel-logout)?|m\/login|logout|preview(\/callback)?)$)/;

export default {
  /** @param {{ FRAGMENTS: string, PAGES: string }} env */
  async fetch(request, env) {
    const { pathname, search } = new URL(request.url);
    if (pathname.startsWith("/fragments/")) return fetchFragment(env.FRAGMENTS + pathname + search, request);
    if (files.test(pathname)) return fetchFile(env.FRAGMENTS + pathname + search, request);
    if (ours.test(pathname)) return forward(request, env.FRAGMENTS);
    const page = await forward(request, env.PAGES);
    return /^text\/html/.test(page.headers.get("content-type") ?? "") ? compose(page, request, env) : page;
  },
};

/** Forwards a request for its visitor. */
function forward(request, origin) {
  const { pathname, search, host, protocol } = new URL(request.url);
  const headers = new Headers(request.headers);
  // Trusted if TRUST_PROXY of the service names Cloudflare. Otherwise all visitors share one rate limit.
  headers.set("x-forwarded-for", request.headers.get("cf-connecting-ip") ?? "");
  headers.set("x-forwarded-host", host);
  headers.set("x-forwarded-proto", protocol.replace(":", ""));
  // Names the visitor for whom your back office calls. Browsers must not send it.
  headers.delete("x-original-address");
  const { method, body } = request;
  return fetch(origin + pathname + search, { method, headers, body, redirect: "manual", duplex: "half" });
}

/** Inserts the fragments into a page. */
async function compose(page, request, env) {
  const html = await page.text();
  const pieces = html.split(/<esi:include\s[^>]*?src="(\/fragments\/[^"]*)"[^>]*>/);
  // Cloudflare keeps the answers, but ends a call with the request that began it. So each request needs its own client.
  const fragments = createFragments({ service: env.FRAGMENTS, fetch: fetchKept });
  const filled = await Promise.all(
    pieces.map((piece, index) =>
      index % 2 === 0 ? piece : include(piece.replaceAll("&amp;", "&"), request, fragments),
    ),
  );
  const headers = new Headers(page.headers);
  // These describe the page as it came, without its fragments.
  for (const name of ["etag", "last-modified", "content-length", "content-encoding"]) headers.delete(name);
  return new Response(filled.join(""), { status: page.status, headers });
}

/** Returns a fragment with its tags, or nothing if it isn't available. */
async function include(address, request, fragments) {
  const { pathname, searchParams } = new URL(address, "https://fragments");
  const [, , name, site = searchParams.get("site")] = pathname.split("/");
  const visitor = { cookie: request.headers.get("cookie") };
  const { head, html } = await fragments.get(name, site, Object.fromEntries(searchParams), visitor);
  return head + html;
}

/** Fetches a file, which is the same for everybody. */
function fetchFile(url, { method }) {
  return fetch(url, { method, cf: { cacheEverything: true } });
}

/** Fetches a fragment for a browser's own request: without cookies, except for staff who preview. */
function fetchFragment(url, request) {
  const cookie = request.headers.get("cookie") ?? "";
  const headers = /(^|; *)PreviewContext=/.test(cookie) ? { cookie } : {};
  return fetchKept(url, { headers, signal: AbortSignal.timeout(1000) }).catch(
    () => new Response(null, { status: 502 }),
  );
}

/**
 * Lets Cloudflare cache answers that are the same for everybody. Previews, the only requests with cookies, are never
 * cached.
 */
function fetchKept(url, init) {
  if ("cookie" in init.headers) return fetch(url, { ...init, cache: "no-store" });
  return fetch(url, { ...init, cf: { cacheEverything: true, cacheTags: tagsOf(url) } });
}

/** Derives the tags of an answer from its address, for a service that doesn't send the header `Cache-Tag`. */
function tagsOf(url) {
  const { pathname, searchParams } = new URL(url);
  const [, , fragment, site = searchParams.get("site")] = pathname.replace(".json", "").split("/");
  return [`fragment-${fragment}`, ...(site ? [`country-${site}`] : [])];
}
