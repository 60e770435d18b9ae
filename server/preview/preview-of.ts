import type { Request, RequestHandler } from "express";
import type { Logger } from "../logger.ts";
import type { Preview, PreviewService, StaffCookies } from "../services/preview-service.ts";
import { staffCookiesOf, writeStaffCookies } from "../services/staff-cookies.ts";

/** What the sender of a request previews. */
export interface RequestedPreview extends Preview {
  /** What proves it to other services. */
  cookies: StaffCookies;
}

/** Tells what the sender of a request previews; undefined for everybody else. */
export type PreviewOf = (request: Pick<Request, "cookies">) => Promise<RequestedPreview | undefined>;

/**
 * Shows the shop as it is where it can't be found out whether somebody previews; that is logged. Each request is looked
 * at once, however many ask.
 */
export function createPreviewOf(preview: Pick<PreviewService, "chosen">, logger: Logger): PreviewOf {
  const known = new WeakMap<Pick<Request, "cookies">, Promise<RequestedPreview | undefined>>();
  return (request) => {
    const found = known.get(request) ?? find(request);
    known.set(request, found);
    return found;
  };

  async function find(request: Pick<Request, "cookies">) {
    const cookies = staffCookiesOf(request);
    if (cookies.context === undefined) return undefined;
    try {
      const chosen = await preview.chosen(cookies);
      return chosen && { ...chosen, cookies };
    } catch (error) {
      logger.warn({ err: error }, "preview not found out");
      return undefined;
    }
  }
}

/** Keeps what staff preview from search engines and caches; comes after what else says who may store an answer. */
export function hidePreviews(previewOf: PreviewOf): RequestHandler {
  return async (request, response, next) => {
    if (await previewOf(request)) response.set({ "X-Robots-Tag": "noindex", "Cache-Control": "private, no-store" });
    next();
  };
}

/**
 * Removes a choice that isn't the sender's, or not any more, from the browser. Not for fragments: answers that anybody
 * may store set no cookies.
 */
export function removeLostChoices(preview: PreviewService): RequestHandler {
  return async (request, response, next) => {
    const cookies = staffCookiesOf(request);
    // One that can't be checked at the moment may be good.
    const isLost = cookies.context !== undefined && !(await preview.chosen(cookies).then(Boolean, () => true));
    if (isLost) response.append("Set-Cookie", writeStaffCookies({ context: null }, { secure: request.secure }));
    next();
  };
}
