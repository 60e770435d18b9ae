import { Router } from "express";
import type { StaffLogin } from "../../../schemas/types.ts";
import { RateLimitedError, UnauthorizedError } from "../../errors.ts";
import { createBodyReader } from "../../http/body-reader.ts";
import { jsonBody } from "../../http/json-body.ts";
import { requireCsrf } from "../../http/require-csrf.ts";
import type { Logger } from "../../logger.ts";
import type { Changes, PreviewService } from "../../services/preview-service.ts";
import { removeStaffCookies, staffCallerOf, staffCookiesOf } from "../../services/staff-cookies.ts";
import type { SiteResolver } from "../../sites/resolve-site.ts";
import { answerStatus } from "./answer-status.ts";

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
/** In bytes. */
const maxBody = 4 * 1024;
const readLogin = createBodyReader<StaffLogin>("staff-login");

interface PreviewRouteDeps {
  preview: PreviewService;
  logger: Logger;
  siteOf: SiteResolver;
}

/** The embedded preview service: staff sign in and out, and choose as at when and as whom they see the shop. */
export function previewRoutes({ preview, logger, siteOf }: PreviewRouteDeps): Router {
  const router = Router();

  router.post(paths.login, requireCsrf(), jsonBody(maxBody), async (request, response) => {
    const result = await preview.login(readLogin(request.body), staffCallerOf(request));
    if (result.status === "unauthorized") throw new UnauthorizedError("the user or the password is wrong");
    if (result.status === "rateLimited") throw new RateLimitedError("too many tries", result.retryAfter);
    response.setHeader("Set-Cookie", result.cookies).json({ status: "SUCCESS" });
  });

  router.get(paths.check, async (request, response) => {
    const checked = await preview.check(staffCookiesOf(request));
    if (!checked) {
      response.setHeader("Set-Cookie", removeStaffCookies(request.secure));
      throw new UnauthorizedError("nobody is signed in");
    }
    const { test = "", group = "" } = checked.selection ?? {};
    response.json({
      status: "SUCCESS",
      dateTime: checked.at.toISOString(),
      abTestName: test,
      abTestGroup: group,
    });
  });

  router.post(paths.renew, requireCsrf(), async (request, response) => {
    const cookies = await preview.renew(staffCallerOf(request));
    response.setHeader("Set-Cookie", cookies ?? removeStaffCookies(request.secure));
    if (!cookies) throw new UnauthorizedError("nobody is signed in");
    response.json({ status: "SUCCESS" });
  });

  router.post(paths.logout, requireCsrf(), async (request, response) => {
    response.setHeader("Set-Cookie", await preview.logout(staffCallerOf(request))).json({ status: "SUCCESS" });
  });

  router.post(paths.token, requireCsrf(), jsonBody(maxBody), async (request, response) => {
    const { test, group, leave } = request.query;
    const { previewDateTime } = { ...request.body };
    const cookies = await preview.choose(
      { previewDateTime, test, group, leave: leave === "true" },
      staffCallerOf(request),
    );
    response.setHeader("Set-Cookie", cookies).json({ status: "SUCCESS" });
  });

  router.get(paths.changes, async (request, response) => {
    const asked = { after: request.query.after, site: siteOf.call(request) };
    const { previous, next } = await preview.changes(asked, staffCookiesOf(request));
    response.json({ status: "SUCCESS", previous: describe(previous), next: describe(next) });
  });

  router.post(paths.share, requireCsrf(), jsonBody(maxBody), async (request, response) => {
    const { path } = { ...request.body };
    const { url, expiresAt } = await preview.share({ path, site: siteOf.call(request) }, staffCookiesOf(request));
    response.json({ status: "SUCCESS", url, expiresAt: new Date(expiresAt).toISOString() });
  });

  const { login: _, ...others } = paths;
  router.use(Object.values(others), answerStatus(logger));
  return router;
}

function describe(found: Changes | undefined) {
  return found ? { dateTime: new Date(found.at).toISOString(), changes: found.changes } : null;
}
