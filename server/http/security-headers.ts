import { randomBytes } from "node:crypto";
import type { RequestHandler, Response } from "express";
import helmet from "helmet";
import { forAudience } from "./who-may-store.ts";

/**
 * Sets the security headers of every answer.
 * @param assetOrigin - where the built files come from, when not from the page's own origin
 */
export function securityHeaders(assetOrigin?: string): RequestHandler {
  return helmet({
    contentSecurityPolicy: { useDefaults: false, directives: policy(assetOrigin) },
    crossOriginOpenerPolicy: { policy: "same-origin" },
    referrerPolicy: { policy: "same-origin" },
    strictTransportSecurity: { maxAge: 63_072_000, includeSubDomains: true },
  });
}

/**
 * Sets what a page has on top of the headers of every answer: nobody stores it, and the scripts that React adds to it
 * carry a nonce, which is in `response.locals`.
 * @param frameAncestors - the source that may show the page in a frame
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

/** Sets the headers of a page that takes passwords: those of a page, and no other page may show it in a frame. */
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
