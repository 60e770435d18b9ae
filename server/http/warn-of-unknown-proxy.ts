import type { Request, RequestHandler } from "express";
import type { Logger } from "../logger.ts";
import { loggedAddressOf } from "./network.ts";

/** The headers by which a proxy says for whom it asks. */
const forwarded = ["x-forwarded-for", "x-forwarded-proto", "x-forwarded-host"];

/**
 * Warns once when somebody whom TRUST_PROXY doesn't name says what a proxy does: it may be a visitor, or the proxy that
 * was forgotten.
 */
export function warnOfUnknownProxy(logger: Logger): RequestHandler {
  let hasWarned = false;
  return (request, _response, next) => {
    const headers = hasWarned ? [] : forwarded.filter((name) => request.headers[name] !== undefined);
    if (headers.length > 0 && !isTrusted(request)) {
      hasWarned = true;
      logger.warn(
        { from: loggedAddressOf(request.socket.remoteAddress), headers },
        "headers of a proxy aren't believed from this address: where it is your proxy's, add it to TRUST_PROXY, as all visitors behind it count as one",
      );
    }
    next();
  };
}

/** Tells whether TRUST_PROXY names who has sent a request. */
function isTrusted({ app, socket }: Request): boolean {
  return app.get("trust proxy fn")(socket.remoteAddress, 0);
}
