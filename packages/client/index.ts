import { edgeRoutes } from "../../server/http/edge-routes.ts";
import { type Answer, callSafely, createAnswers, logError, type ServiceOptions } from "./answers.ts";
import { completePolicy } from "./content-security-policy.ts";

export type { Outage, ServiceOptions } from "./answers.ts";

/** The parameters of each fragment; docs/include.md of the service describes them. */
export interface FragmentParameters {
  footer: {
    reduced?: boolean | undefined;
    platform?: "MATCH" | "TABLET" | "CLASSIC" | undefined;
    newsletter?: boolean | undefined;
    preview?: boolean | undefined;
  };
  newsletter: { origin?: "NEWSLETTER" | "SHOPPING_CART" | undefined; originAddition?: string | undefined };
  /** The tags of all fragments, for pages that include several. */
  head: Record<string, never>;
}

export type FragmentName = keyof FragmentParameters;

export interface FragmentsOptions extends ServiceOptions {
  /** Your HTML for a site whose fragment isn't to be had, by the fragment's name. Without it, the page shows nothing. */
  fallback?: { [Name in FragmentName]?: ((site: string) => string) | undefined } | undefined;
}

/** The request for which a page is made. */
export interface Visitor {
  /** The request's `Cookie` header. Only staff who preview change a fragment by it, and only their cookies are sent. */
  cookie?: string | null | undefined;
  /** The nonce of the page's policy, which the tags in `head` get. Needed with `'strict-dynamic'`. */
  nonce?: string | null | undefined;
}

export interface Fragment {
  /** The element, for the place where the page shows it. */
  html: string;
  /** The tags of its styles and scripts, for the page's `<head>`. */
  head: string;
  /** `stale`: the last good one. `fallback`: the service's fallback or yours. `absent`: both texts are empty. */
  state: "fresh" | "stale" | "fallback" | "absent";
  /** The build of the service that has rendered it. */
  build: string | undefined;
}

export interface Fragments {
  /** Returns a fragment. Never throws, and never takes longer than the deadline. */
  get<Name extends FragmentName>(
    name: Name,
    site: string,
    parameters?: FragmentParameters[Name] | null,
    visitor?: Visitor | null,
  ): Promise<Fragment>;
  /**
   * Adds what the fragments need to a page's policy. It removes nothing but a `'none'` that gives way, and adds nothing
   * that the policy doesn't restrict.
   * @returns the policy; unchanged if the service doesn't answer
   */
  contentSecurityPolicy(policy: string, site: string): Promise<string>;
  /** Puts the footer before `</body>` and its tags before `</head>` of a finished page. */
  insert(
    page: string,
    site: string,
    parameters?: FragmentParameters["footer"] | null,
    visitor?: Visitor | null,
  ): Promise<string>;
  /** The paths that must reach the service: each that ends with a slash with all below it, the others alone. */
  routes(): Promise<string[]>;
  /** Fetches the footers of sites, so that no page waits for them. */
  warm(sites: readonly string[]): Promise<void>;
  /** Lets what has a key of `Surrogate-Key`, such as `country-DE`, be fetched again. */
  purge(key: string): void;
}

/**
 * Creates the access to the fragments of a service. Create one per process: it keeps answers for as long as the service
 * allows, at most 20 MB.
 * @throws TypeError if `service` is missing or isn't a URL
 */
export function createFragments(options: FragmentsOptions): Fragments {
  const answers = createAnswers(options);
  let latestRoutes: string[] = edgeRoutes;
  return { get, contentSecurityPolicy, insert, routes: async () => [...latestRoutes], warm, purge: answers.purge };

  async function get<Name extends FragmentName>(
    name: Name,
    site: string,
    parameters?: FragmentParameters[Name] | null,
    visitor?: Visitor | null,
  ): Promise<Fragment> {
    const answer = await ask(name, site, parameters, visitor?.cookie);
    if (!answer) return fallBack(name, site);
    const { html, head, build } = answer.data;
    const state = answer.isStale && answer.data.state === "fresh" ? "stale" : answer.data.state;
    return { html, head: withNonce(head, visitor?.nonce), state, build };
  }

  async function ask(
    name: string,
    site: string,
    parameters?: Record<string, unknown> | null,
    cookie?: string | null,
  ): Promise<Answer | undefined> {
    const answer = await answers.ask(name, site, parameters ?? {}, cookie).catch(logError);
    if (answer) latestRoutes = answer.data.routes;
    return answer;
  }

  function fallBack(name: FragmentName, site: string): Fragment {
    const html = callSafely(() => options.fallback?.[name]?.(site)) ?? "";
    return { html, head: "", state: html ? "fallback" : "absent", build: undefined };
  }

  async function contentSecurityPolicy(policy: string, site: string): Promise<string> {
    const answer = await ask("footer", site);
    return answer ? completePolicy(policy, answer.data.contentSecurityPolicy) : policy;
  }

  async function insert(
    page: string,
    site: string,
    parameters?: FragmentParameters["footer"] | null,
    visitor?: Visitor | null,
  ): Promise<string> {
    const { html, head } = await get("footer", site, parameters, visitor);
    const endOfBody = [...page.matchAll(/<\/body\s*>/gi)].at(-1)?.index ?? page.length;
    const endOfHead = page.search(/<\/head\s*>/i);
    const headAt = endOfHead < 0 ? endOfBody : endOfHead;
    return page.slice(0, headAt) + head + page.slice(headAt, endOfBody) + html + page.slice(endOfBody);
  }

  async function warm(sites: readonly string[]): Promise<void> {
    await Promise.all(sites.map((site) => get("footer", site)));
  }
}

/** Gives tags a nonce. No character of another kind can leave the attribute. */
function withNonce(tags: string, nonce: string | null | undefined): string {
  return nonce ? tags.replace(/<(?:link|script)\b/g, `$& nonce="${nonce.replace(/[^\w+/=-]/g, "")}"`) : tags;
}
