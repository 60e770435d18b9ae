import type { Moment } from "../../../client/rules/time.ts";
import type { Metrics } from "../../metrics.ts";
import { timeRule } from "../../parse-time.ts";
import type { ReportEvent } from "../../security-events.ts";
import { writeDevice } from "../../services/device-cookies.ts";
import type { PreviewService } from "../../services/preview-service.ts";
import { removeStaffCookies, writeStaffCookies } from "../../services/staff-cookies.ts";
import { createSignIn } from "../sign-in/sign-in.ts";
import { createTokenKeys } from "../sign-in/token-keys.ts";
import { choosePreview } from "./choose-preview.ts";
import { findNearestChanges } from "./find-changes.ts";
import { issueCredentials, readStaffSessions, sessionOf } from "./presented-session.ts";
import type { PreviewParts } from "./preview-parts.ts";
import { openShare, share } from "./share.ts";
import { createShareTokens } from "./share-tokens.ts";
import { staffAccounts } from "./staff-accounts.ts";
import { staffSessions } from "./staff-sessions.ts";
import { createStaffTokens } from "./staff-tokens.ts";

interface PreviewDeps extends Pick<PreviewParts, "db" | "logger" | "findTests" | "footerChanges"> {
  metrics: Pick<Metrics, "signIns">;
  report: ReportEvent;
  clock?: () => Moment;
}

/**
 * Creates the embedded preview service. Its state is in store and cookies, so that any number of replicas can share it.
 */
export async function createPreview({
  metrics,
  report,
  clock = Date.now,
  ...deps
}: PreviewDeps): Promise<PreviewService> {
  const { db } = deps;
  const keys = createTokenKeys(db);
  const tokens = createStaffTokens(keys);
  const parts: PreviewParts = { ...deps, clock, tokens, shareTokens: createShareTokens(keys) };
  const kind = { accounts: staffAccounts, sessions: staffSessions, name: "staff" } as const;
  const signIn = await createSignIn({ ...kind, db, metrics, report, clock });
  return {
    login: ({ user: email, password }, { address, cookies, device, secure }) =>
      signIn(
        { email, password, address, device },
        {
          presented: (at) => readStaffSessions(tokens, cookies, at),
          async start(staffId, known, at) {
            const session = await staffSessions.start(db, { staffId }, at);
            // An earlier choice is of another session: test/server/shop/preview/preview-routes.test.ts
            const forgotten = writeStaffCookies({ context: null }, { secure });
            const credentials = await issueCredentials(parts, session, secure, at);
            return [...credentials, ...forgotten, writeDevice("staff", known, { secure })];
          },
        },
      ),
    async check(cookies) {
      const at = clock();
      const session = await sessionOf(parts, cookies, at);
      if (!session) return undefined;
      const chosen = await tokens.readContext(cookies.context, at);
      return chosen?.session === session.id ? chosen.preview : { at };
    },
    async renew({ cookies, secure }) {
      const at = clock();
      const session = await sessionOf(parts, cookies, at);
      const extended = session && (await staffSessions.extend(db, session, at));
      return extended && issueCredentials(parts, extended, secure, at);
    },
    async logout({ cookies, secure }) {
      await staffSessions.endEach(db, await readStaffSessions(tokens, cookies, clock()));
      return removeStaffCookies(secure);
    },
    choose: (request, caller) => choosePreview(parts, request, caller),
    async chosen(cookies) {
      const at = clock();
      const chosen = await tokens.readContext(cookies.context, at);
      const session = chosen && (await sessionOf(parts, cookies, at));
      return session?.id === chosen?.session ? chosen?.preview : undefined;
    },
    async changes({ after, site }, cookies) {
      if (!(await sessionOf(parts, cookies, clock()))) return { status: "unauthorized" };
      if (after === undefined) return { status: "invalid", faults: [{ field: "after", message: timeRule }] };
      const [previous, next] = await Promise.all([
        findNearestChanges(parts, site, after, "previous"),
        findNearestChanges(parts, site, after, "next"),
      ]);
      return { status: "found", previous, next };
    },
    share: (request, cookies) => share(parts, request, cookies),
    isShare: async (token) => (await parts.shareTokens.read(token, clock())) !== undefined,
    openShare: (token, caller) => openShare(parts, token, caller),
  };
}
