import type { Request } from "express";
import type { Logger } from "../logger.ts";
import type { Preview, PreviewService, StaffCookies } from "./preview-service.ts";
import { staffCookiesOf } from "./staff-cookies.ts";

/** What the sender of a request previews. */
export interface RequestedPreview extends Preview {
  /** What proves it to other services. */
  cookies: StaffCookies;
}

/** Tells what the sender of a request previews; undefined for everybody else. */
export type PreviewOf = (request: Pick<Request, "cookies">) => Promise<RequestedPreview | undefined>;

/**
 * Creates what asks the preview service, once per request, however many handlers want to know. Where the service fails,
 * the shop is shown as it is, and a line is logged.
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
