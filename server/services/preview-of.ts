import type { Request } from "express";
import { isTold } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { Preview, PreviewService, StaffCookies } from "./preview-service.ts";
import { staffCookiesOf } from "./staff-cookies.ts";

/** A preview that the sender of a request has chosen. */
export interface RequestedPreview extends Preview {
  /** The cookies with which other services find the same preview. */
  cookies: StaffCookies;
}

/** Tells what the sender of a request previews; undefined for everybody else. */
export type PreviewOf = (request: Pick<Request, "cookies">) => Promise<RequestedPreview | undefined>;

/**
 * Creates the function that asks the preview service, once per request, however many handlers call it. When the service
 * fails, that is logged, and the shop is shown as everybody sees it.
 */
export function createPreviewOf(preview: Pick<PreviewService, "chosen">, logger: Logger): PreviewOf {
  const known = new WeakMap<Pick<Request, "cookies">, Promise<RequestedPreview | undefined>>();
  return (request) => {
    const found = known.get(request) ?? find(request);
    known.set(request, found);
    return found;
  };

  async function find(request: Pick<Request, "cookies">) {
    if (!mayPreview(request)) return undefined;
    const cookies = staffCookiesOf(request);
    try {
      const chosen = await preview.chosen(cookies);
      return chosen && { ...chosen, cookies };
    } catch (error) {
      if (!isTold(error)) logger.warn({ err: error }, "the service could not find out what staff preview");
      return undefined;
    }
  }
}

/** Tells whether a request has the cookie without which nobody previews anything. */
export function mayPreview(request: Pick<Request, "cookies">): boolean {
  return staffCookiesOf(request).context !== undefined;
}
