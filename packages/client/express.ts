import type { FragmentParameters, Fragments } from "./index.ts";

/** The parts of Express's request and response that are used, common to versions 4 and 5. */
interface Request {
  headers: { cookie?: string | undefined };
}
interface Response {
  locals: Record<string, unknown>;
  getHeader(name: string): unknown;
  setHeader(name: string, value: string): unknown;
}

export interface StorefrontOptions<OwnRequest extends Request, OwnResponse extends Response> {
  /** The code of the country site, or a function that finds it. */
  site: string | ((request: OwnRequest) => string);
  /** The parameters of the footer. */
  parameters?: FragmentParameters["footer"] | undefined;
  /** Returns the nonce of the page's policy, if it has one. */
  nonce?: ((request: OwnRequest, response: OwnResponse) => string) | undefined;
}

const policyHeaders = ["content-security-policy", "content-security-policy-report-only"];

/**
 * Creates middleware for pages. It sets `response.locals.storefront = { head, footer }` for templates, and completes
 * the policy that helmet has set. Use it after helmet.
 */
export function storefront<OwnRequest extends Request, OwnResponse extends Response>(
  fragments: Fragments,
  { site, parameters, nonce }: StorefrontOptions<OwnRequest, OwnResponse>,
) {
  return (request: OwnRequest, response: OwnResponse, next: (error?: unknown) => void): void => {
    prepare(request, response).then(() => next(), next);
  };

  async function prepare(request: OwnRequest, response: OwnResponse): Promise<void> {
    const code = typeof site === "string" ? site : site(request);
    const visitor = { cookie: request.headers.cookie, nonce: nonce?.(request, response) };
    const { html, head } = await fragments.get("footer", code, parameters, visitor);
    response.locals.storefront = { head, footer: html };
    for (const name of policyHeaders) {
      const policy = response.getHeader(name);
      if (typeof policy === "string") response.setHeader(name, await fragments.contentSecurityPolicy(policy, code));
    }
  }
}
