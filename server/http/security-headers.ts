import { randomBytes } from "node:crypto";
import type { RequestHandler } from "express";
import { type Audience, setAudience } from "./who-may-store.ts";

/** What is equally protected: `any` is every answer, each other class adds to it. */
export type RouteClass = keyof typeof requiredHeaders;

interface Required {
  /** Who may store the answer; where it is missing, the route says so itself. */
  audience?: Audience;
  headers: Record<string, string>;
}

interface Settings {
  /** Whether pages load fonts, which come from where the built files do. */
  hasFonts?: boolean;
  /** Where the built files come from, when not from the page's own origin. */
  assetOrigin?: string | undefined;
  /** The value of Strict-Transport-Security; undefined sends none. */
  hsts: string | undefined;
}

/** Gives the handler that protects the answers of all routes mounted behind it, unless a later one does. */
export type Protect = (routes: RouteClass) => RequestHandler;

const policyName = "Content-Security-Policy";
const frames = "'self'";
const policy = (scripts: string, ancestors: string) =>
  [
    "default-src 'none'",
    `script-src 'self' <assets>${scripts}`,
    "style-src 'self' <assets>",
    "img-src 'self' <assets> data:<fonts>",
    "connect-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    `frame-ancestors ${ancestors}`,
  ].join("; ");

/** What every answer has, also one that a sandbox keeps from its own origin. */
const base = {
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "same-origin",
  "Strict-Transport-Security": "<HSTS>",
  "X-Content-Type-Options": "nosniff",
  "X-DNS-Prefetch-Control": "off",
  "X-Download-Options": "noopen",
  "X-Frame-Options": "SAMEORIGIN",
  "X-Permitted-Cross-Domain-Policies": "none",
  "X-XSS-Protection": "0",
};
const any = { ...base, [policyName]: policy("", frames), "Origin-Agent-Cluster": "?1" };
/** What browsers heed where they show an answer as a page of its own. No page asks for any of these permissions. */
const shown = {
  ...any,
  "Cross-Origin-Opener-Policy": "same-origin",
  "Permissions-Policy":
    "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()",
};
/**
 * A mail, whose styles stand on its elements, and which runs nothing. The pages to which its links lead are in no
 * sandbox. Browsers refuse to show what is in one and has a Cross-Origin-Opener-Policy.
 */
const mail = {
  ...base,
  [policyName]: [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    "sandbox allow-popups allow-popups-to-escape-sandbox",
  ].join("; "),
};
const page = { ...shown, [policyName]: policy(" 'nonce-<nonce>'", frames) };

/**
 * The headers that every answer of a class has: docs/operate.md lists them. `<assets>` stands for the origin of the
 * built files where that isn't the page's own, `<fonts>` for where fonts come from if the brand has one, `<HSTS>` for that variable, `<nonce>` for what each page has anew,
 * `<style>` for the hash of the stylesheet in the page.
 */
export const requiredHeaders = {
  any: { headers: any },
  health: { audience: "page", headers: any },
  metrics: { audience: "page", headers: any },
  asset: { headers: { ...any, "Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin" } },
  fragment: { headers: shown },
  call: { audience: "page", headers: any },
  page: { audience: "page", headers: page },
  mail: { audience: "page", headers: mail },
  passwordPage: {
    audience: "person",
    headers: {
      ...page,
      [policyName]: policy(" 'nonce-<nonce>'", "'none'"),
      "X-Frame-Options": "DENY",
    },
  },
  busyPage: {
    audience: "page",
    headers: {
      ...any,
      [policyName]:
        "default-src 'none'; style-src '<style>'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
    },
  },
} as const satisfies Record<string, Required>;

const names = new Set(Object.values(requiredHeaders).flatMap(({ headers }) => Object.keys(headers)));

/** Gives the headers of a class as they are sent; `<nonce>` and `<style>` still stand for the page's own. */
export function headersOf(routes: RouteClass, { hasFonts, assetOrigin, hsts }: Settings): Map<string, string> {
  const fill = (value: string) =>
    value
      .replace("<fonts>", hasFonts ? "; font-src 'self' <assets>" : "")
      .replaceAll(" <assets>", assetOrigin ? ` ${assetOrigin}` : "")
      .replace("<HSTS>", hsts ?? "");
  const filled = Object.entries(requiredHeaders[routes].headers).map(([name, value]) => [name, fill(value)] as const);
  return new Map(filled.filter(([, value]) => value !== ""));
}

/** Creates what sets the headers of the classes. The nonce of a page is in `response.locals`, for its renderer. */
export function createProtect(settings: Settings): Protect {
  return (routes) => {
    const { audience }: Required = requiredHeaders[routes];
    const own = headersOf(routes, settings);
    const ofOtherClasses = [...names].filter((name) => !own.has(name));
    const policyOfClass = own.get(policyName) ?? "";
    return (_request, response, next) => {
      if (audience) setAudience(response, audience);
      for (const name of ofOtherClasses) response.removeHeader(name);
      response.setHeaders(own);
      if (policyOfClass.includes("<nonce>")) {
        response.locals.nonce = randomBytes(16).toString("base64");
        response.setHeader(policyName, policyOfClass.replace("<nonce>", response.locals.nonce));
      }
      next();
    };
  };
}
