import type { Request, RequestHandler } from "express";
import type { Logger } from "../../logger.ts";
import type { Preview, PreviewService } from "./preview-service.ts";
import { staffCookiesOf, writeStaffCookies } from "./staff-cookies.ts";

/** Tells what the sender of a request previews; undefined for everybody else. */
export type PreviewOf = (request: Pick<Request, "cookies">) => Promise<Preview | undefined>;

/** Shows the shop as it is where it can't be found out whether somebody previews; that is logged. */
export function createPreviewOf(preview: PreviewService, logger: Logger): PreviewOf {
  return async (request) => {
    const cookies = staffCookiesOf(request);
    if (cookies.context === undefined) return undefined;
    try {
      return await preview.chosen(cookies);
    } catch (error) {
      logger.warn({ err: error }, "preview not found out");
      return undefined;
    }
  };
}

/**
 * Keeps what staff preview from search engines, and removes a choice that isn't the sender's, or not any more, from the
 * browser. Not for fragments: answers that anybody may store set no cookies.
 */
export function previewHeaders(preview: PreviewService): RequestHandler {
  return async (request, response, next) => {
    const cookies = staffCookiesOf(request);
    if (cookies.context === undefined) return next();
    // One that can't be checked at the moment may be good.
    const isGood = await preview.chosen(cookies).then(Boolean, () => true);
    if (isGood) response.set("X-Robots-Tag", "noindex");
    else response.append("Set-Cookie", writeStaffCookies({ context: null }, { secure: request.secure }));
    next();
  };
}
