import { randomBytes } from "node:crypto";
import type { RequestHandler, Response } from "express";
import helmet from "helmet";
import { forAudience } from "./who-may-store.ts";

/** Headers of every answer. `assetOrigin` is where the built files come from, when not from the page's own origin. */
export function securityHeaders(assetOrigin?: string): RequestHandler {
  return helmet({
    contentSecurityPolicy: { useDefaults: false, directives: policy(assetOrigin) },
    crossOriginOpenerPolicy: { policy: "same-origin" },
    referrerPolicy: { policy: "same-origin" },
    strictTransportSecurity: { maxAge: 63_072_000, includeSubDomains: true },
  });
}

/**
 * Headers of a page, on top of those of every answer: never stored, and a nonce for the scripts it adds itself.
 * @param frameAncestors - who may show it in a frame
 */
export function pageHeaders(assetOrigin?: string, frameAncestors = "'self'"): RequestHandler[] {
  return [
    forAudience("page"),
    (_request, response, next) => {
      response.locals.nonce = randomBytes(16).toString("base64");
      next();
    },
    helmet.contentSecurityPolicy({
      useDefaults: false,
      directives: {
        ...policy(assetOrigin),
        frameAncestors: [frameAncestors],
        scriptSrc: [...sources(assetOrigin), (_request, response) => `'nonce-${(response as Response).locals.nonce}'`],
      },
    }),
  ];
}

/** Headers of a page that takes passwords: on top of those of a page, no other page may show it in a frame. */
export function unframedPageHeaders(assetOrigin?: string): RequestHandler[] {
  return [...pageHeaders(assetOrigin, "'none'"), helmet.xFrameOptions({ action: "deny" }), forAudience("person")];
}

function policy(assetOrigin?: string) {
  return {
    defaultSrc: ["'none'"],
    scriptSrc: sources(assetOrigin),
    styleSrc: sources(assetOrigin),
    imgSrc: [...sources(assetOrigin), "data:"],
    connectSrc: ["'self'"],
    frameSrc: ["'self'"],
    formAction: ["'self'"],
    baseUri: ["'none'"],
    objectSrc: ["'none'"],
    frameAncestors: ["'self'"],
  };
}

function sources(assetOrigin?: string): string[] {
  return assetOrigin ? ["'self'", assetOrigin] : ["'self'"];
}
