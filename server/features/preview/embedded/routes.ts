import { Router } from "express";
import type { StaffLogin } from "../../../../schemas/types.ts";
import { clearBrowserCache } from "../../../http/cache-control.ts";
import { requireCsrf } from "../../../http/csrf.ts";
import { errorHandler, type SendFailure } from "../../../http/error-handler.ts";
import { createBodyReader, jsonBody, parseQueryTime } from "../../../http/request-input.ts";
import { removeStaffCookies, staffCookiesOf } from "../../../http/staff-cookies.ts";
import { type Failed, type InvalidFields, RequestError } from "../../../platform/errors.ts";
import type { Logger } from "../../../platform/logger.ts";
import { toIso } from "../../../platform/time.ts";
import type { SiteResolver } from "../../../sites/resolve-site.ts";
import { type Changes, type PreviewService, staffCallerOf } from "../service.ts";

const base = "/service/preview/api";
const paths = {
  login: `${base}/auth/login`,
  check: `${base}/auth/checkauth`,
  renew: `${base}/auth/login/renew`,
  logout: `${base}/auth/logout`,
  token: `${base}/token`,
  changes: `${base}/changes`,
  share: `${base}/share`,
};
/** Maximum body size in bytes. */
const maxBody = 4 * 1024;
const readLogin = createBodyReader<StaffLogin>("staff-login");

interface PreviewRouteDeps {
  preview: PreviewService;
  logger: Logger;
  siteOf: SiteResolver;
}

/** Answers the calls of the embedded preview service. */
export function previewRoutes({ preview, logger, siteOf }: PreviewRouteDeps): Router {
  const router = Router();

  router.post(paths.login, requireCsrf(), jsonBody(maxBody), async (request, response) => {
    const result = await preview.login(readLogin(request.body), staffCallerOf(request));
    if (result.status === "unauthorized") throw new RequestError(result.status, "the user or the password is wrong");
    if (result.status === "rateLimited") throw new RequestError(result.status, "too many tries", result);
    response.setHeader("Set-Cookie", result.cookies).json({ status: "SUCCESS" });
  });

  router.get(paths.check, async (request, response) => {
    const checked = await preview.check(staffCookiesOf(request));
    if (!checked) {
      response.setHeader("Set-Cookie", removeStaffCookies(request.secure));
      throw refusalOf({ status: "unauthorized" });
    }
    const { test = "", group = "" } = checked.selection ?? {};
    response.json({
      status: "SUCCESS",
      dateTime: toIso(checked.at),
      abTestName: test,
      abTestGroup: group,
    });
  });

  router.post(paths.renew, requireCsrf(), async (request, response) => {
    const cookies = await preview.renew(staffCallerOf(request));
    response.setHeader("Set-Cookie", cookies ?? removeStaffCookies(request.secure));
    if (!cookies) throw refusalOf({ status: "unauthorized" });
    response.json({ status: "SUCCESS" });
  });

  router.post(paths.logout, requireCsrf(), clearBrowserCache(), async (request, response) => {
    response.setHeader("Set-Cookie", await preview.logout(staffCallerOf(request))).json({ status: "SUCCESS" });
  });

  router.post(paths.token, requireCsrf(), jsonBody(maxBody), async (request, response) => {
    const { test, group, leave } = request.query;
    const { previewDateTime } = { ...request.body };
    const result = await preview.choose(
      { previewDateTime, test, group, leave: leave === "true" },
      staffCallerOf(request),
    );
    if (result.status !== "chosen") throw refusalOf(result);
    response.setHeader("Set-Cookie", result.cookies).json({ status: "SUCCESS" });
  });

  router.get(paths.changes, async (request, response) => {
    const asked = { after: parseQueryTime(request.query.after), site: siteOf.call(request) };
    const result = await preview.changes(asked, staffCookiesOf(request));
    if (result.status !== "found") throw refusalOf(result);
    response.json({ status: "SUCCESS", previous: toAnswer(result.previous), next: toAnswer(result.next) });
  });

  router.post(paths.share, requireCsrf(), jsonBody(maxBody), async (request, response) => {
    const { path } = { ...request.body };
    const result = await preview.share({ path, site: siteOf.call(request) }, staffCookiesOf(request));
    if (result.status !== "shared") throw refusalOf(result);
    response.json({ status: "SUCCESS", url: result.url, expiresAt: toIso(result.expiresAt) });
  });

  const { login: _, ...others } = paths;
  router.use(Object.values(others), errorHandler(logger, sendPanelError));
  return router;
}

function refusalOf(result: Failed<"unauthorized"> | InvalidFields | { status: "nothingChosen" }): RequestError {
  if (result.status === "unauthorized") return new RequestError(result.status, "nobody is signed in");
  if (result.status === "nothingChosen") return new RequestError("badRequest", "nothing is chosen to preview");
  return new RequestError(result.status, "what was sent isn't as it should be", { fields: result.faults });
}

function toAnswer(found: Changes | undefined) {
  return found ? { dateTime: toIso(found.at), changes: found.changes } : null;
}

/** Sends the one word that the preview panel reads, and the wrong fields. */
const sendPanelError: SendFailure = ({ status, errors }, { kind }, _request, response) => {
  // A call from another site, or with a wrong method, doesn't come from the panel.
  if (kind === "forbidden" || kind === "wrongMethod") return false;
  if (status >= 500) return response.status(500).json({ status: "INTERNAL_ERROR", errors });
  if (status === 401) return response.status(401).json({ status: "UNAUTHORIZED", errors });
  return response.status(400).json({ status: "BAD_REQUEST", errors });
};
