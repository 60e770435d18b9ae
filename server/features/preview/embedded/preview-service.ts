import { safeRedirect } from "../../../../client/rules/safe-redirect.ts";
import { type Moment, second } from "../../../../client/rules/time.ts";
import type { AbTestsAnswer } from "../../../../schemas/types.ts";
import { endSessions, extendSession, findSession, type Session, startSession } from "../../../accounts/sessions.ts";
import { createAuthentication, loginOrUnavailable } from "../../../accounts/sign-in.ts";
import { writeDeviceCookie } from "../../../accounts/trusted-devices.ts";
import type { StaffCookies } from "../../../http/staff-cookies.ts";
import { removeStaffCookies, writeStaffCookies } from "../../../http/staff-cookies.ts";
import type { InvalidFields } from "../../../platform/errors.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { Metrics } from "../../../platform/metrics.ts";
import type { SecretKeys } from "../../../platform/secret-keys.ts";
import type { ReportEvent } from "../../../platform/security-events.ts";
import { parseTime, timeRule } from "../../../platform/time.ts";
import type { Preview } from "../../../rendering/visitor.ts";
import type { Site } from "../../../sites/countries.ts";
import type { Database } from "../../../store/open-store.ts";
import type { FindTests } from "../../abtests/service.ts";
import { type PreviewRequest, type PreviewService, previewPath } from "../service.ts";
import { type FooterChanges, findNearestChanges } from "./find-changes.ts";
import { createPreviewTokens } from "./tokens.ts";

interface PreviewDeps {
  db: Database;
  keys: SecretKeys;
  logger: Logger;
  metrics: Pick<Metrics, "signIns">;
  report: ReportEvent;
  findTests: FindTests;
  footerChanges: FooterChanges;
  clock?: () => Moment;
}

/** Creates the embedded preview service. All its state is in the store and in cookies, for any number of replicas. */
export function createPreview(deps: PreviewDeps): PreviewService {
  const { db, keys, logger, metrics, report, findTests, footerChanges, clock = Date.now } = deps;
  const tokens = createPreviewTokens(keys);
  const authenticate = createAuthentication("staff", { db, keys, metrics, report, clock });
  return {
    login: ({ user: email, password }, { address, cookies, device: trusted, secure }) =>
      loginOrUnavailable(async () => {
        const result = await authenticate({ email, password, address, device: trusted });
        if (result.status !== "authenticated") return result;
        const { account, device, at } = result;
        await endSessions(db, await readSessionIds(cookies, at));
        const session = await startSession(db, account.id, at);
        const credentials = await issueCredentials(session, secure, at);
        // A context cookie of an earlier session is invalid now.
        const context = writeStaffCookies({ context: null }, { secure });
        const cookiesToSet = [...credentials, ...context, writeDeviceCookie("staff", device, { secure })];
        return { status: "success", cookies: cookiesToSet };
      }),

    async check(cookies) {
      const at = clock();
      const session = await findSignedIn(cookies, at);
      return session && ((await findChosen(cookies, session, at)) ?? { at });
    },

    async renew({ cookies, secure }) {
      const at = clock();
      const session = await findSignedIn(cookies, at);
      const extended = session && (await extendSession(db, session, at));
      return extended && issueCredentials(extended, secure, at);
    },

    async logout({ cookies, secure }) {
      await endSessions(db, await readSessionIds(cookies, clock()));
      return removeStaffCookies(secure);
    },

    async choose({ previewDateTime, leave, ...selected }, { cookies, secure }) {
      const now = clock();
      const session = await findSignedIn(cookies, now);
      if (!session) return { status: "unauthorized" };
      if (leave) return { status: "chosen", cookies: writeStaffCookies({ context: null }, { secure }) };
      const at = typeof previewDateTime === "string" ? parseTime(previewDateTime) : undefined;
      if (at === undefined)
        logger.warn("previewDateTime isn't an ISO 8601 time with an offset: using the current time");
      const chosen = await choosePreview(selected, at ?? now);
      if (chosen.status === "invalid") return chosen;
      return { status: "chosen", cookies: await issueContext(session, chosen.preview, secure, now) };
    },

    async chosen(cookies) {
      const at = clock();
      const chosen = await tokens.readContext(cookies.context, at);
      const session = chosen && (await findSignedIn(cookies, at));
      return chosen && chosen.session === session?.id ? chosen.preview : undefined;
    },

    async changes({ after, site }, cookies) {
      if (!(await findSignedIn(cookies, clock()))) return { status: "unauthorized" };
      if (after === undefined) return invalid("after", timeRule);
      const [previous, next] = await Promise.all([
        findNearestChanges(db, footerChanges(site), site, after, "previous"),
        findNearestChanges(db, footerChanges(site), site, after, "next"),
      ]);
      return { status: "found", previous, next };
    },

    async share({ path, site }, cookies) {
      const now = clock();
      const session = await findSignedIn(cookies, now);
      if (!session) return { status: "unauthorized" };
      const preview = await findChosen(cookies, session, now);
      if (!preview) return { status: "nothingChosen" };
      const safe = safePath(path, site);
      if (safe === undefined)
        return invalid("path", "must be a path of this site as browsers write it, such as /category/coffee?page=2");
      const { token, expiresAt } = await tokens.signShare({ preview, path: safe }, now);
      return { status: "shared", url: `${site.origin}${previewPath}?share=${token}`, expiresAt };
    },

    isShare: async (token) => (await tokens.readShare(token, clock())) !== undefined,

    async openShare(token, { cookies, secure }) {
      const now = clock();
      const shared = await tokens.readShare(token, now);
      if (!shared) return { status: "badLink" };
      const session = await findSignedIn(cookies, now);
      if (!session) return { status: "unauthorized" };
      const preview = await withoutEndedTest(shared.preview);
      return { status: "opened", path: shared.path, cookies: await issueContext(session, preview, secure, now) };
    },
  };

  /** Reads both credentials of a browser: the id of the session of each, undefined for an invalid one. */
  async function readSessionIds({ staff, cobra }: StaffCookies, at: Moment): Promise<(string | undefined)[]> {
    return [await tokens.readCredential("staff", staff, at), await tokens.readCredential("cobra", cobra, at)];
  }

  /** Finds the session of a browser, which must have both credentials. */
  async function findSignedIn(cookies: StaffCookies, at: Moment): Promise<Session | undefined> {
    const [id, other] = await readSessionIds(cookies, at);
    return id === undefined || id !== other ? undefined : findSession(db, "staff", id, at);
  }

  /** Finds what was chosen in a session; undefined when nothing was, or in another session. */
  async function findChosen({ context }: StaffCookies, session: Session, at: Moment): Promise<Preview | undefined> {
    const chosen = await tokens.readContext(context, at);
    return chosen?.session === session.id ? chosen.preview : undefined;
  }

  /** Signs new credentials for a session. Returns values of Set-Cookie headers. */
  async function issueCredentials(session: Session, secure: boolean, at: Moment): Promise<string[]> {
    const values = {
      staff: await tokens.signCredential("staff", session, at),
      cobra: await tokens.signCredential("cobra", session, at),
      flag: "true",
    };
    return writeStaffCookies(values, { secure, lifetime: Math.ceil((session.expiresAt - at) / second) });
  }

  /** Signs what a session previews. Returns values of Set-Cookie headers. */
  async function issueContext(session: Session, preview: Preview, secure: boolean, at: Moment): Promise<string[]> {
    const context = await tokens.signContext(session, preview, at);
    return writeStaffCookies({ context }, { secure, lifetime: Math.ceil((session.endsAt - at) / second) });
  }

  /** Validates the group of an A/B test, which must be active at the time of the preview. */
  async function choosePreview(
    { test, group }: Pick<PreviewRequest, "test" | "group">,
    at: Moment,
  ): Promise<{ status: "valid"; preview: Preview } | InvalidFields> {
    if (isEmpty(test) && isEmpty(group)) return { status: "valid", preview: { at } };
    const groups = groupsOf(await findTests(at), test);
    if (typeof test !== "string" || !groups) return invalid("test", "must be an A/B test that is active at that time");
    if (typeof group !== "string" || !groups.includes(group))
      return invalid("group", "must be a group of the A/B test");
    return { status: "valid", preview: { at, selection: { test, group } } };
  }

  async function withoutEndedTest({ at, selection }: Preview): Promise<Preview> {
    const isActive = selection && groupsOf(await findTests(at), selection.test)?.includes(selection.group);
    return isActive ? { at, selection } : { at };
  }
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === "";
}

function groupsOf(tests: AbTestsAnswer, name: unknown): string[] | undefined {
  return tests.find((test) => test.name === name)?.groups.map((group) => group.name);
}

function invalid(field: string, message: string): InvalidFields {
  return { status: "invalid", faults: [{ field, message }] };
}

/** Returns a path that browsers read just as it is written; undefined for any other, which might lead to another site. */
function safePath(path: unknown, { origin }: Site): string | undefined {
  const safe = safeRedirect(path, new URL(previewPath, origin));
  return safe === path ? safe : undefined;
}
