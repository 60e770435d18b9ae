import { IncomingMessage, ServerResponse } from "node:http";
import { createForward } from "./forward.ts";
import type { FragmentParameters, Fragments } from "./index.ts";

/** The parts of Express's request and response that are used, common to versions 4 and 5. */
interface Request {
  headers: { cookie?: string | undefined; host?: string | undefined };
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
  /**
   * Whether to forward the paths that must reach the service. `false` leaves them to other middleware. Default: `true`.
   */
  forward?: boolean | undefined;
}

type Next = (error?: unknown) => void;

/** The parts of Node's request and response that are used. */
interface FileRequest {
  method?: string | undefined;
  url?: string | undefined;
  headers: { "accept-encoding"?: string | string[] | undefined };
}
interface FileResponse {
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(body?: Uint8Array): unknown;
}

const policyHeaders = ["content-security-policy", "content-security-policy-report-only"];

/**
 * Creates middleware for pages. It sets `response.locals.storefront = { head, footer }` for templates, and completes
 * the policy that helmet has set. Use it after helmet. It forwards the paths that must reach the service, and answers
 * for its files itself, so use it before your own routes.
 */
export function storefront<OwnRequest extends Request, OwnResponse extends Response>(
  fragments: Fragments,
  { site, parameters, nonce, forward = true }: StorefrontOptions<OwnRequest, OwnResponse>,
) {
  const { access } = fragments;
  const send = forward && access ? createForward(access) : undefined;
  const route =
    send &&
    storefrontRoutes(fragments, (request: OwnRequest & IncomingMessage, response: OwnResponse & ServerResponse) =>
      send(request, response, codeOf(request)),
    );
  return (request: OwnRequest, response: OwnResponse, next: Next): void => {
    const goOn = (error?: unknown) => (error ? next(error) : prepare(request, response).then(() => next(), next));
    if (!route || !(request instanceof IncomingMessage) || !(response instanceof ServerResponse)) goOn();
    else route(request, response, goOn);
  };

  function codeOf(request: OwnRequest): string {
    return typeof site === "string" ? site : site(request);
  }

  async function prepare(request: OwnRequest, response: OwnResponse): Promise<void> {
    const code = codeOf(request);
    const visitor = { cookie: request.headers.cookie, nonce: nonce?.(request, response), origin: originOf(request) };
    const { html, head } = await fragments.get("footer", code, parameters, visitor);
    response.locals.storefront = { head, footer: html };
    for (const name of policyHeaders) {
      const policy = response.getHeader(name);
      if (typeof policy === "string") response.setHeader(name, await fragments.contentSecurityPolicy(policy, code));
    }
  }
}

/** Returns the origin of a page, unless a proxy in front may have changed it. */
function originOf({ headers }: { headers: { host?: string | undefined } }): string | undefined {
  const isProxied = Object.keys(headers).some((name) => /^(?:x-forwarded-|x-real-ip$|forwarded$|via$)/.test(name));
  return isProxied || !headers.host ? undefined : `http://${headers.host}`;
}

/**
 * Creates middleware for the paths that must reach the service. It answers browsers with the files of the fragments,
 * and keeps them for when the service is down. All other requests go to your proxy. It runs in every server that has
 * Node's requests and responses.
 * @param forward - your proxy; without one, the next middleware gets these requests
 */
export function storefrontRoutes<OwnRequest extends FileRequest, OwnResponse extends FileResponse>(
  fragments: Fragments,
  forward: (request: OwnRequest, response: OwnResponse, next: Next) => unknown = (_request, _response, next) => next(),
) {
  const read = fragments.keepFiles();
  return (request: OwnRequest, response: OwnResponse, next: Next): void => {
    answer(request, response, next).catch(next);
  };

  async function answer(request: OwnRequest, response: OwnResponse, next: Next): Promise<void> {
    const { method, url = "", headers } = request;
    const routes = await fragments.routes();
    if (!leadsTo(routes, url)) return next();
    const isRead = method === "GET" || method === "HEAD";
    const file = isRead ? await read(url, headers["accept-encoding"]) : undefined;
    if (!file) return void (await forward(request, response, next));
    response.writeHead(200, file.headers);
    response.end(method === "HEAD" ? undefined : file.body);
  }
}

/** Returns whether an address is one of the service, also after a server has resolved `..` in its path. */
function leadsTo(routes: string[], url: string): boolean {
  const isRouted = (path: string) =>
    routes.some((route) => (route.endsWith("/") ? path.startsWith(route) : path === route));
  const [path = ""] = url.split("?");
  return isRouted(path) && isRouted(new URL(path, "http://page").pathname);
}
