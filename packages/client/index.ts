import { edgeRoutes } from "../../server/http/edge-routes.ts";
import { createAnswers, type FragmentAnswer, type ServiceAccess, type ServiceOptions } from "./answers.ts";
import { callSafely, logError } from "./call-safely.ts";
import { completePolicy } from "./content-security-policy.ts";
import { createFiles, type ReadFile } from "./files.ts";
import { createRouteCheck, isDevelopment } from "./route-check.ts";

export type { Outage, ServiceAccess, ServiceOptions } from "./answers.ts";
export type { FragmentFile, ReadFile } from "./files.ts";

/** The parameters of each fragment; docs/include.md of the service describes them. */
export interface FragmentParameters {
  footer: {
    reduced?: boolean | undefined;
    platform?: "MATCH" | "TABLET" | "CLASSIC" | undefined;
    newsletter?: boolean | undefined;
    preview?: boolean | undefined;
    links?: "relative" | "absolute" | undefined;
    /** The group of an A/B test, such as `footer-promotion:B`. */
    variant?: string | undefined;
  };
  header: Record<string, never>;
  newsletter: { origin?: "NEWSLETTER" | "SHOPPING_CART" | undefined; originAddition?: string | undefined };
  /** The tags of all fragments, for pages that include several. */
  head: Record<string, never>;
}

export type FragmentName = keyof FragmentParameters;

export interface FragmentsOptions extends ServiceOptions {
  /**
   * Your own HTML for fragments that aren't available, by name; called with the site. Default: the page shows nothing.
   */
  fallback?: { [Name in FragmentName]?: ((site: string) => string) | undefined } | undefined;
}

/** The request for which a page is made. */
export interface Visitor {
  /**
   * The request's `Cookie` header. Only the cookies of staff who preview are sent, because only they change a fragment.
   */
  cookie?: string | null | undefined;
  /** The nonce of the page's policy, which is added to the tags in `head`. Needed with `'strict-dynamic'`. */
  nonce?: string | null | undefined;
  /**
   * The origin of the page, such as `http://de.localhost:8080`. Unless `NODE_ENV` is `production`, a footer ends with a
   * note that names the paths which don't reach the service from there. Only an origin on this machine is asked.
   */
  origin?: string | null | undefined;
}

export interface Fragment {
  /** The element, for the place where the page shows it. */
  html: string;
  /** The tags of its styles and scripts, for the page's `<head>`. */
  head: string;
  /**
   * `stale`: the last good answer. `fallback`: the service's fallback or yours. `absent`: `html` and `head` are empty.
   */
  state: "fresh" | "stale" | "fallback" | "absent";
  /** The build of the service that rendered the fragment. */
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
   * Adds the sources that fragments need to a page's policy. Removes only a `'none'` that would block them, and adds
   * nothing to what the policy doesn't restrict.
   * @returns the policy; unchanged if the service doesn't answer
   */
  contentSecurityPolicy(policy: string, site: string): Promise<string>;
  /** Inserts the footer before `</body>` of a finished page, and its tags before `</head>`. */
  insert(
    page: string,
    site: string,
    parameters?: FragmentParameters["footer"] | null,
    visitor?: Visitor | null,
  ): Promise<string>;
  /** The paths that must reach the service. A path that ends with a slash includes all paths below it. */
  routes(): Promise<string[]>;
  /** Fetches the footers of sites in advance, so that no page waits for them. */
  warm(sites: readonly string[]): Promise<void>;
  /**
   * Keeps the styles, scripts and pictures of all fragments that are fetched, at most 20 MB. With them, your server
   * answers browsers while the service is down.
   * @returns a function that answers their requests
   */
  keepFiles(): ReadFile;
  /** Drops what has a tag, such as `country-DE`, so that it is fetched again. */
  purge(tag: string): void;
  /** What `storefront()` needs to forward requests. Without it, as in stubs, it forwards none. */
  readonly access?: ServiceAccess | undefined;
}

/**
 * Creates the access to the fragments of a service. Create one per process: it caches answers for as long as the
 * service allows, at most 20 MB.
 * @throws TypeError if `service` is missing or isn't a URL
 */
export function createFragments(options: FragmentsOptions): Fragments {
  const answers = createAnswers(options, ({ head, html }) => files?.keep(head + html));
  const { purge, access } = answers;
  let files: ReturnType<typeof createFiles> | undefined;
  let latestRoutes: string[] = edgeRoutes;
  const { deadline = 1000 } = options;
  const checkRoutes = createRouteCheck();
  return { get, contentSecurityPolicy, insert, routes: async () => [...latestRoutes], warm, keepFiles, purge, access };

  async function get<Name extends FragmentName>(
    name: Name,
    site: string,
    parameters?: FragmentParameters[Name] | null,
    visitor?: Visitor | null,
  ): Promise<Fragment> {
    const begun = performance.now();
    const answer = await ask(name, site, parameters, visitor?.cookie);
    if (!answer) return fallBack(name, site);
    const { html, head, build } = answer.data;
    const state = answer.isStale && answer.data.state === "fresh" ? "stale" : answer.data.state;
    const origin = name === "footer" && state === "fresh" && isDevelopment() ? visitor?.origin : undefined;
    const left = begun + deadline - performance.now();
    const note = origin ? await checkRoutes(origin, latestRoutes, left).catch(logError) : "";
    return { html: html + (note ?? ""), head: withNonce(head, visitor?.nonce), state, build };
  }

  async function ask(
    name: string,
    site: string,
    parameters?: Record<string, unknown> | null,
    cookie?: string | null,
  ): Promise<FragmentAnswer | undefined> {
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

  function keepFiles(): ReadFile {
    if (!files) {
      files = createFiles(answers.fetchFile);
      for (const { head, html } of answers.kept()) files.keep(head + html);
    }
    return files.read;
  }

  async function warm(sites: readonly string[]): Promise<void> {
    await Promise.all(sites.map((site) => get("footer", site)));
  }
}

/** Adds a nonce to tags. Removes characters that could end the attribute. */
function withNonce(tags: string, nonce: string | null | undefined): string {
  return nonce ? tags.replace(/<(?:link|script)\b/g, `$& nonce="${nonce.replace(/[^\w+/=-]/g, "")}"`) : tags;
}
