/**
 * A Cloudflare Worker in front of your pages and of this service. Cloudflare keeps the fragments for as long as the
 * service says.
 *
 * A page includes a fragment by
 *   <esi:include src="/fragments/footer/DE"/>
 * One that isn't to be had leaves nothing. To purge, purge by the tags of the fragments, such as `country-DE`:
 * https://developers.cloudflare.com/cache/how-to/purge-cache/purge-by-tags/
 */

// What is yours: the variables FRAGMENTS and PAGES of the Worker, such as http://fragments:3000, without a path.

/** No page waits longer for a fragment. */
const longestWait = 1000;
/** What fragments load and call in the browser, and the pages that the service has. All else is your shop's. */
const ours =
  /^\/(assets\/|service\/(newsletter\/api|newsletterfrontend\/newslettersubscriptionform|promotion|customerfrontenddata|login|preview|abtestfrontend|footer-images)\/|newsletter(\/|$)|(subscribenewsletter|view|login|m\/login|logout|preview)$)/;

export default {
  /** @param {{ FRAGMENTS: string, PAGES: string }} env */
  async fetch(request, env) {
    const { pathname, search } = new URL(request.url);
    if (pathname.startsWith("/fragments/"))
      return fetchFragment(pathname + search, request, env).catch(() => new Response(null, { status: 502 }));
    if (ours.test(pathname)) return forward(request, env.FRAGMENTS);
    const page = await forward(request, env.PAGES);
    return /^text\/html/.test(page.headers.get("content-type") ?? "") ? compose(page, request, env) : page;
  },
};

/** Passes a request on as its visitor's. */
function forward(request, origin) {
  const { pathname, search, host, protocol } = new URL(request.url);
  const headers = new Headers(request.headers);
  // Believed where TRUST_PROXY of the service names Cloudflare. Without it all visitors share one rate limit.
  headers.set("x-forwarded-for", request.headers.get("cf-connecting-ip") ?? "");
  headers.set("x-forwarded-host", host);
  headers.set("x-forwarded-proto", protocol.replace(":", ""));
  // Says for whom your back office calls: no browser may.
  headers.delete("x-original-address");
  const { method, body } = request;
  return fetch(origin + pathname + search, { method, headers, body, redirect: "manual", duplex: "half" });
}

/** Puts the fragments into a page. */
async function compose(page, request, env) {
  const html = await page.text();
  const pieces = html.split(/<esi:include\s[^>]*?src="(\/fragments\/[^"]*)"[^>]*>/);
  const filled = await Promise.all(
    pieces.map((piece, index) => (index % 2 === 0 ? piece : includeText(piece.replaceAll("&amp;", "&"), request, env))),
  );
  const headers = new Headers(page.headers);
  // They tell nothing of the fragments, or are of the page as it came.
  for (const name of ["etag", "last-modified", "content-length", "content-encoding"]) headers.delete(name);
  return new Response(filled.join(""), { status: page.status, headers });
}

/** Gives a fragment, or nothing where it isn't to be had. */
async function includeText(address, request, env) {
  try {
    const response = await fetchFragment(address, request, env);
    return response.ok ? await response.text() : "";
  } catch {
    return "";
  }
}

/**
 * Asks for a fragment without the visitor's cookies, as all visitors share the copy. Previews are asked for with the
 * cookies of staff, and are not cached.
 */
function fetchFragment(address, request, env) {
  const signal = AbortSignal.timeout(longestWait);
  const cookie = request.headers.get("cookie") ?? "";
  if (/(^|; *)PreviewContext=/.test(cookie))
    return fetch(env.FRAGMENTS + address, { headers: { cookie }, cache: "no-store", signal });
  return fetch(env.FRAGMENTS + address, { cf: { cacheEverything: true, cacheTags: tagsOf(address) }, signal });
}

/** Names the keys of Surrogate-Key that an address tells: Cloudflare wants them before the answer comes. */
function tagsOf(address) {
  const { pathname, searchParams } = new URL(address, "https://fragments");
  const [, , fragment, site = searchParams.get("site")] = pathname.split("/");
  return [`fragment-${fragment}`, ...(site ? [`country-${site}`] : [])];
}
