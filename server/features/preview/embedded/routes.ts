import { type Request, Router } from "express";
import { safeRedirect } from "../../../../client/rules/safe-redirect.ts";
import type { Moment } from "../../../../client/rules/time.ts";
import type { AbTestsAnswer, StaffLogin } from "../../../../schemas/types.ts";
import { clearBrowserCache } from "../../../http/cache-control.ts";
import { removeStaffCookies, writeStaffCookies } from "../../../http/cookies.ts";
import { requireCsrf } from "../../../http/csrf.ts";
import { errorHandler, type SendFailure } from "../../../http/error-handler.ts";
import { createBodyReader, jsonBody, parseQueryTime } from "../../../http/request-input.ts";
import { RequestError } from "../../../platform/errors.ts";
import { parseTime, timeRule, toIso } from "../../../platform/time.ts";
import type { Preview } from "../../../rendering/visitor.ts";
import type { Site } from "../../../sites/countries.ts";
import { type FooterChange, footerChanges } from "../../../sites/footer-versions.ts";
import { footerTranslator } from "../../../sites/site-content.ts";
import type { Database } from "../../../store/open-store.ts";
import type { FindTests } from "../../abtests/service.ts";
import type { Contents } from "../../content/service.ts";
import type { AppContext } from "../../feature.ts";
import { previewPath } from "../service.ts";
import type { StaffPasswordLogin } from "./password-login.ts";
import type { StaffSessions } from "./staff-sessions.ts";

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

/**
 * Answers the calls of the embedded preview service.
 * @param login - undefined if staff sign in at an identity provider
 */
export function previewRoutes(
  { logger, siteOf }: AppContext,
  db: Database,
  staff: StaffSessions,
  login: StaffPasswordLogin | undefined,
  findTests: FindTests,
  contents: Contents,
): Router {
  const router = Router();

  if (login)
    router.post(paths.login, requireCsrf(), jsonBody(maxBody), async (request, response) => {
      const { user, password } = readLogin(request.body);
      const result = await login(user, password, request);
      if (result.status === "unauthorized") throw new RequestError(result.status, "the user or the password is wrong");
      if (result.status !== "success") throw new RequestError(result.status, "too many attempts", result);
      response.setHeader("Set-Cookie", result.cookies).json({ status: "SUCCESS" });
    });

  router.get(paths.check, async (request, response) => {
    if (!(await staff.find(request))) {
      response.setHeader("Set-Cookie", removeStaffCookies(request));
      throw nobodySignedIn();
    }
    const { at, selection }: Preview = (await staff.findPreview(request)) ?? { at: Date.now() };
    const { test = "", group = "" } = selection ?? {};
    response.json({ status: "SUCCESS", dateTime: toIso(at), abTestName: test, abTestGroup: group });
  });

  router.post(paths.renew, requireCsrf(), async (request, response) => {
    const cookies = await staff.renew(request);
    response.setHeader("Set-Cookie", cookies ?? removeStaffCookies(request));
    if (!cookies) throw nobodySignedIn();
    response.json({ status: "SUCCESS" });
  });

  router.post(paths.logout, requireCsrf(), async (request, response) => {
    response.setHeader("Set-Cookie", await staff.logout(request));
    clearBrowserCache(response);
    response.json({ status: "SUCCESS" });
  });

  router.post(paths.token, requireCsrf(), jsonBody(maxBody), async (request, response) => {
    const session = await requireStaff(request);
    const { test, group, leave } = request.query;
    // `leave` ends the preview. The other parameters are for services that don't know it.
    const cookies =
      leave === "true"
        ? writeStaffCookies({ PreviewContext: null }, request)
        : await staff.writePreview(session, await choosePreview(request.body?.previewDateTime, test, group), request);
    response.setHeader("Set-Cookie", cookies).json({ status: "SUCCESS" });
  });

  router.get(paths.changes, async (request, response) => {
    const after = parseQueryTime(request.query.after);
    const site = siteOf.call(request);
    await requireStaff(request);
    if (after === undefined) throw invalid("after", timeRule);
    const content = contents.current(site);
    const ofFooter = footerChanges(content.site.footer, footerTranslator(content));
    const { previous, next } = await findNearestChanges(db, ofFooter, site.site, after);
    response.json({ status: "SUCCESS", previous, next });
  });

  router.post(paths.share, requireCsrf(), jsonBody(maxBody), async (request, response) => {
    const site = siteOf.call(request);
    await requireStaff(request);
    const preview = await staff.findPreview(request);
    if (!preview) throw new RequestError("badRequest", "nothing is chosen to preview");
    const { url, expiresAt } = await staff.createLink(preview, readPath(request.body?.path, site), site);
    response.json({ status: "SUCCESS", url, expiresAt: toIso(expiresAt) });
  });

  const { login: _, ...others } = paths;
  router.use(Object.values(others), errorHandler(logger, sendPanelError));
  return router;

  async function requireStaff(request: Request) {
    const session = await staff.find(request);
    if (!session) throw nobodySignedIn();
    return session;
  }

  /** Reads the choice of staff. The group must belong to an A/B test that is active at the previewed time. */
  async function choosePreview(dateTime: unknown, test: unknown, group: unknown): Promise<Preview> {
    const chosen = typeof dateTime === "string" ? parseTime(dateTime) : undefined;
    if (chosen === undefined)
      logger.warn("previewDateTime isn't an ISO 8601 time with an offset: using the current time");
    const at = chosen ?? Date.now();
    if (!test && !group) return { at };
    const groups = groupsOf(await findTests(at), test);
    if (typeof test !== "string" || !groups) throw invalid("test", "must be an A/B test that is active at that time");
    if (typeof group !== "string" || !groups.includes(group)) throw invalid("group", "must be a group of the A/B test");
    return { at, selection: { test, group } };
  }
}

/**
 * Finds the changes of a site nearest to a time, strictly before and after it.
 * @param ofFooter - the changes of the site's footer
 * @returns all changes of each of the two moments; null if there are none in that direction
 */
async function findNearestChanges(db: Database, ofFooter: readonly FooterChange[], site: string, time: Moment) {
  const promotions = db.selectFrom("promotion").select(["headline as name", "validFrom", "validTo"]);
  const tests = db.selectFrom("abTest").select(["name", "validFrom", "validTo"]);
  const all = [
    ...changesOf("promotion", await promotions.where("site", "=", site).orderBy("name").execute()),
    ...changesOf("test", await tests.orderBy("name").execute()),
    ...ofFooter.map((change) => ({ ...change, kind: "footer" })),
  ];
  const moments = all.map(({ at }) => at);
  return {
    previous: changesAt(Math.max(...moments.filter((at) => at < time))),
    next: changesAt(Math.min(...moments.filter((at) => at > time))),
  };

  function changesAt(moment: Moment) {
    const changes = all.filter(({ at }) => at === moment).map(({ kind, name, change }) => ({ kind, name, change }));
    return changes.length > 0 ? { dateTime: toIso(moment), changes } : null;
  }
}

function changesOf(kind: string, periods: { name: string; validFrom: Moment; validTo: Moment | null }[]) {
  return periods.flatMap(({ name, validFrom, validTo }) => [
    ...(validTo === null ? [] : [{ at: validTo, kind, name, change: "ends" }]),
    { at: validFrom, kind, name, change: "starts" },
  ]);
}

/** Lists the groups of an A/B test; undefined if it isn't among the active tests. */
export function groupsOf(tests: AbTestsAnswer, name: unknown): string[] | undefined {
  return tests.find((test) => test.name === name)?.groups.map((group) => group.name);
}

/** Reads a path that browsers read exactly as written. Any other might lead to another site. */
function readPath(path: unknown, { origin }: Site): string {
  const safe = safeRedirect(path, new URL(previewPath, origin));
  if (safe !== path)
    throw invalid("path", "must be a path of this site as browsers write it, such as /category/coffee?page=2");
  return safe;
}

function nobodySignedIn(): RequestError {
  return new RequestError("unauthorized", "nobody is signed in");
}

function invalid(field: string, message: string): RequestError {
  return new RequestError("invalid", "the input is invalid", { fields: [{ field, message }] });
}

/** Sends the one word that the preview panel reads, and the wrong fields. */
const sendPanelError: SendFailure = ({ status, errors }, { kind }, _request, response) => {
  // The panel never makes a call from another site or with a wrong method.
  if (kind === "forbidden" || kind === "wrongMethod") return false;
  if (status >= 500) return response.status(500).json({ status: "INTERNAL_ERROR", errors });
  if (status === 401) return response.status(401).json({ status: "UNAUTHORIZED", errors });
  return response.status(400).json({ status: "BAD_REQUEST", errors });
};
