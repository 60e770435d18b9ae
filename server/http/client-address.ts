import { isIP } from "node:net";
import express, { type Request, type RequestHandler } from "express";
import type { Logger } from "../platform/logger.ts";
import { anonymizeAddress } from "./anonymize-address.ts";

const forwardedHeaders = ["x-forwarded-for", "x-forwarded-proto", "x-forwarded-host"];

/** Warns once about proxy headers from an address that TRUST_PROXY doesn't name: a visitor, or a forgotten proxy. */
export function warnOfUnknownProxy(logger: Logger): RequestHandler {
  let hasWarned = false;
  return (request, _response, next) => {
    const headers = hasWarned ? [] : forwardedHeaders.filter((name) => request.headers[name] !== undefined);
    if (headers.length > 0 && !isTrusted(request)) {
      hasWarned = true;
      logger.warn(
        { from: anonymizeAddress(request.socket.remoteAddress), headers },
        "proxy headers from an untrusted address are ignored: if it is your proxy, add it to TRUST_PROXY, as all visitors behind it count as one",
      );
    }
    next();
  };
}

function isTrusted({ app, socket }: Request): boolean {
  return app.get("trust proxy fn")(socket.remoteAddress, 0);
}

/**
 * Treats a request as secure if the origin of its site is https, even if no trusted proxy says so: the browser then never
 * sends the cookies over plain connections, however the proxy is set up.
 */
export function secureByOrigin(siteOf: { host(request: Request): { origin: string } }): RequestHandler {
  return (request, _response, next) => {
    const isSecure = request.secure || siteOf.host(request).origin.startsWith("https:");
    Object.defineProperty(request, "secure", { value: isSecure });
    next();
  };
}

/** Returns the network address for which a call of the newsletter service is made. */
export type OriginalAddressOf = (request: Request) => string | undefined;

/**
 * Creates the function that resolves X-Original-Address: a back-office server names the visitor it calls for.
 * @param trusted - addresses or CIDRs of those servers; the header is ignored from all others
 */
export function createOriginalAddressOf(trusted: readonly string[]): OriginalAddressOf {
  // Express matches addresses as it does those of TRUST_PROXY.
  const isListed: (address: string | undefined, hop: number) => boolean = express()
    .set("trust proxy", trusted)
    .get("trust proxy fn");
  return (request) => {
    const original = request.get("X-Original-Address")?.trim() ?? "";
    return isIP(original) && isListed(request.ip, 0) ? original : request.ip;
  };
}
