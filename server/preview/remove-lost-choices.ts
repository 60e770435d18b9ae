import type { RequestHandler } from "express";
import type { PreviewService } from "../services/preview-service.ts";
import { staffCookiesOf, writeStaffCookies } from "../services/staff-cookies.ts";

/**
 * Removes from the browser a choice that isn't its owner's, or not any more. Not for fragments: answers that anybody may
 * store set no cookies.
 */
export function removeLostChoices(preview: Pick<PreviewService, "chosen">): RequestHandler {
  return async (request, response, next) => {
    const cookies = staffCookiesOf(request);
    // One that can't be checked at the moment may be good.
    const isLost = cookies.context !== undefined && !(await preview.chosen(cookies).then(Boolean, () => true));
    if (isLost) response.append("Set-Cookie", writeStaffCookies({ context: null }, { secure: request.secure }));
    next();
  };
}
