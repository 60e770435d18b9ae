import type { RequestHandler } from "express";
import type { PreviewService } from "../services/preview-service.ts";
import { staffCookiesOf, writeStaffCookies } from "../services/staff-cookies.ts";

/** Removes a preview choice from the browser when the sender of the request may not use it, or not any more. */
export function removeLostChoices(preview: Pick<PreviewService, "chosen">): RequestHandler {
  return async (request, response, next) => {
    const cookies = staffCookiesOf(request);
    // A choice stays where the service can't check it at the moment: test/server/services/preview-of.test.ts
    const isLost = cookies.context !== undefined && !(await preview.chosen(cookies).then(Boolean, () => true));
    if (isLost) response.append("Set-Cookie", writeStaffCookies({ context: null }, { secure: request.secure }));
    next();
  };
}
