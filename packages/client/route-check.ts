/** Paths that a page's origin may leave out: what its server includes itself, and what a shop may have of its own. */
const optional = ["/fragments/", "/.well-known/security.txt"];

/** Whether pages are shown to those who make them. */
export function isDevelopment(): boolean {
  return typeof process !== "undefined" && process.env.NODE_ENV !== "production";
}

/** Creates the check that tells a page's developer which paths don't reach the service. */
export function createRouteCheck() {
  /** The origins that are being asked, or that forward everything. */
  const settled = new Set<string>();
  /** What was last found out, by origin. */
  const notes = new Map<string, string>();

  /**
   * Asks a page's origin on this machine for the paths of the service. A service sends back the id of a request; no
   * other server knows it.
   * @param milliseconds - how long the origin may take
   * @returns a note for the end of a fragment; empty if nothing is missing, or if that can't be found out
   */
  return async (pageOrigin: string, routes: string[], milliseconds: number): Promise<string> => {
    const origin = localOrigin(pageOrigin);
    if (!origin) return "";
    // A page that answers such a request in place of the service must not wait for itself.
    if (settled.has(origin)) return notes.get(origin) ?? "";
    settled.add(origin);
    const needed = routes.filter((route) => !optional.includes(route));
    const signal = AbortSignal.timeout(Math.max(0, Math.floor(milliseconds)));
    const answers = await Promise.all(needed.map((route) => reaches(origin + route, signal)));
    const missing = needed.filter((_route, index) => answers[index] === false);
    if (answers.some((answer) => answer !== true)) settled.delete(origin);
    const note = missing.length > 0 ? noteOf(missing) : "";
    notes.set(origin, note);
    return note;
  };
}

/** Returns the origin of a page on this machine, which alone is asked: a request may claim any other. */
function localOrigin(origin: string): string | undefined {
  if (!URL.canParse(origin)) return undefined;
  const { protocol, hostname, port } = new URL(origin);
  const isLocal = /^(?:(?:.+\.)?localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
  if (protocol !== "http:" || !isLocal) return undefined;
  // Few systems resolve names such as de.localhost.
  return `http://${hostname.endsWith("localhost") ? "localhost" : hostname}:${port || 80}`;
}

/** Returns whether an address reaches the service; undefined if nobody answers, or only a proxy does. */
async function reaches(address: string, signal: AbortSignal): Promise<boolean | undefined> {
  const id = crypto.randomUUID();
  const init = { method: "HEAD", headers: { "x-request-id": id }, redirect: "manual", signal } as const;
  const response = await fetch(address, init).catch(() => undefined);
  if (!response || [502, 503, 504].includes(response.status)) return undefined;
  return response.headers.get("x-request-id") === id;
}

/** Has no style of its own, which a policy could forbid. */
function noteOf(missing: string[]): string {
  const paths = missing.map((path) => `<code>${path.replace(/[&<]/g, "")}</code>`).join(", ");
  return `<aside lang="en" dir="ltr" aria-label="Storefront Fragments" data-storefront-note><p><strong>Storefront Fragments, in development only:</strong> this page’s origin doesn’t forward ${paths} to the service, so parts of the fragments don’t work. In Express, use <code>storefront()</code> before your own routes. Elsewhere, send these paths to the service by your proxy: see “Routes” in docs/include.md.</p></aside>`;
}
