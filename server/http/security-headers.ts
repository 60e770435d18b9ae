import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Request, RequestHandler } from "express";
import helmet, { contentSecurityPolicy, crossOriginOpenerPolicy, xFrameOptions } from "helmet";

interface Settings {
  /** The built files. Pages may load them from their origin, if that isn't the page's own. */
  assets?: { origin?: string | undefined };
  /** The brand. Its font, if it has one, comes from the origin of the built files. */
  brand?: { type: { font?: object | undefined } };
  /** The value of Strict-Transport-Security; undefined omits the header. */
  hsts: string | undefined;
  /** Where browsers report violations of a page's policy. */
  reportUrl?: string | undefined;
  /**
   * Returns the origin to which forms of a request's site lead, besides its own; undefined if there is none. Chromium
   * blocks what a form is redirected to unless the policy names it.
   */
  formTargetOf?(request: Request): string | undefined;
}

/** Handlers by kind of response. `base` runs first for all kinds. */
export type SecurityHeaders = ReturnType<typeof createSecurityHeaders>;

/** Permissions that no page asks for. */
const permissionsPolicy =
  "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()";

/**
 * Headers that fragments leave out. A composer drops the headers of what it includes. A browser that opens a fragment
 * by itself has the policy, which says who may frame it and what it loads.
 */
const ofPagesOnly = {
  originAgentCluster: false,
  referrerPolicy: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xFrameOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
} as const;

/** The name of the address for reports, between the header and the policy. */
const endpoint = "policy";

/** For a page whose address has a secret in its query. Files and forms of the page must not tell it to logs and scripts. */
export const hideQueryFromReferer: RequestHandler = (_request, response, next) => {
  // Not `no-referrer`, with which old browsers give forms no evidence of their page.
  response.setHeader("Referrer-Policy", "strict-origin");
  next();
};

/** Creates the handlers that set security headers. */
export function createSecurityHeaders({ assets, brand, hsts, reportUrl, formTargetOf }: Settings) {
  const sources = ["'self'", ...(assets?.origin ? [assets.origin] : [])];
  const directives = {
    defaultSrc: ["'none'"],
    scriptSrc: sources,
    styleSrc: sources,
    imgSrc: [...sources, "data:"],
    ...(brand?.type.font && { fontSrc: sources }),
    connectSrc: ["'self'"],
    frameSrc: ["'self'"],
    formAction: ["'self'"],
    baseUri: ["'none'"],
    objectSrc: ["'none'"],
    frameAncestors: ["'self'"],
    requireTrustedTypesFor: ["'script'"],
    trustedTypes: ["'none'"],
  };
  const ofAll = {
    contentSecurityPolicy: { useDefaults: false, directives },
    crossOriginOpenerPolicy: false,
    referrerPolicy: { policy: "same-origin" },
    strictTransportSecurity: hsts !== undefined && {
      maxAge: Number.parseInt(hsts.replace("max-age=", ""), 10),
      includeSubDomains: hsts.includes("includeSubDomains"),
      preload: hsts.includes("preload"),
    },
    xPoweredBy: false,
  } as const;
  const ofOthers = helmet(ofAll);
  const ofFragments = helmet({ ...ofAll, ...ofPagesOnly });
  const base = (request: IncomingMessage, response: ServerResponse, next: () => void) => {
    const set = /^\/fragments\//i.test(request.url ?? "") ? ofFragments : ofOthers;
    set(request, response, next);
  };
  const setPermissions: RequestHandler = (_request, response, next) => {
    response.set("Permissions-Policy", permissionsPolicy);
    next();
  };
  return {
    /** For every response. */
    base,
    page: [crossOriginOpenerPolicy(), setPermissions, pagePolicy("'self'")],
    /** For a page that asks for a password, in addition to `page`. */
    passwordPage: [pagePolicy("'none'"), xFrameOptions({ action: "deny" })],
  };

  function pagePolicy(frameAncestors: string): RequestHandler {
    const nonce = (_request: IncomingMessage, response: ServerResponse) => `'nonce-${nonceOf(response)}'`;
    const own = { ...directives, scriptSrc: [...sources, nonce], frameAncestors };
    /** The policies by the origin to which forms lead, and by the address for reports. */
    const policies = new Map<string, ReturnType<typeof contentSecurityPolicy>>();
    return (request, response, next) => {
      const target = formTargetOf?.(request);
      const formAction = [...directives.formAction, ...(target ? [target] : [])];
      // A report names the page's address, and nobody else may get its token.
      const reporting = reportUrl && !("token" in request.query) ? reportUrl : undefined;
      if (reporting) response.set("Reporting-Endpoints", `${endpoint}="${reporting}"`);
      // Browsers that know report-to ignore report-uri.
      const reports = reporting ? { reportTo: endpoint, reportUri: reporting } : {};
      const key = `${target} ${reporting}`;
      const policy =
        policies.get(key) ??
        contentSecurityPolicy({ useDefaults: false, directives: { ...own, ...reports, formAction } });
      policies.set(key, policy);
      policy(request, response, next);
    };
  }
}

const nonces = new WeakMap<ServerResponse, string>();

/** Returns the nonce of the scripts in a page. */
export function nonceOf(response: ServerResponse): string {
  const nonce = nonces.get(response) ?? randomBytes(16).toString("base64");
  nonces.set(response, nonce);
  return nonce;
}
