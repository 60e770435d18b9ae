import { readTime } from "../../http/read-time.ts";
import type { Logger } from "../../logger.ts";
import type { PreviewService } from "../../services/preview-service.ts";
import { removeStaffCookies } from "../../services/staff-cookies.ts";
import type { AbTest } from "../abtests/find-active-tests.ts";
import { createTurns } from "../sign-in/in-turn.ts";
import { createThrottle } from "../sign-in/throttle.ts";
import { createTokenKeys } from "../sign-in/token-keys.ts";
import { loadServiceKey } from "../store/load-service-key.ts";
import type { Database } from "../store/open-store.ts";
import { createRateLimiter } from "../store/rate-limiter.ts";
import { choose } from "./choose.ts";
import { type FooterChanges, findNearestChanges } from "./find-changes.ts";
import { endPresented, issueCookies, requireSession, sessionOf } from "./presented-session.ts";
import type { PreviewContext } from "./preview-context.ts";
import { openShare, share } from "./share.ts";
import { createShareTokens } from "./share-tokens.ts";
import { signIn } from "./sign-in.ts";
import { extendStaffSession } from "./staff-sessions.ts";
import { createStaffTokens } from "./staff-tokens.ts";

interface PreviewDeps {
  db: Database;
  logger: Logger;
  /** The A/B tests that are active at a time. */
  findTests(at: Date): Promise<AbTest[]>;
  footerChanges: FooterChanges;
  clock?: () => number;
}

const minute = 60_000;
/** Failures of a network, of which one may stand for an office. */
const budgets = [
  { name: "staff-minute", points: 30, duration: minute },
  { name: "staff-hour", points: 300, duration: 60 * minute },
];

/** Creates the embedded preview service. Its state is in the store and in cookies: any number of them can share it. */
export async function createPreview({ clock = Date.now, ...deps }: PreviewDeps): Promise<PreviewService> {
  const { db } = deps;
  const keys = createTokenKeys(db);
  const context: PreviewContext = {
    ...{ ...deps, clock },
    tokens: createStaffTokens(keys),
    shareTokens: createShareTokens(keys),
    limiter: createRateLimiter(db, budgets),
    inTurn: createTurns(),
    throttle: createThrottle(db, await loadServiceKey(db, "staff-throttle")),
  };
  const { tokens } = context;
  return {
    login: (request, caller) => signIn(context, request, caller),
    async check(cookies) {
      const at = clock();
      const session = await sessionOf(context, cookies, at);
      if (!session) return undefined;
      const chosen = await tokens.readContext(cookies.context, at);
      return chosen?.session === session.id ? chosen.preview : { at: new Date(at) };
    },
    async renew({ cookies, secure }) {
      const at = clock();
      const session = await sessionOf(context, cookies, at);
      const extended = session && (await extendStaffSession(db, session, at));
      return extended && issueCookies(context, extended, secure, at);
    },
    async logout({ cookies, secure }) {
      await endPresented(context, cookies, clock());
      return removeStaffCookies(secure);
    },
    choose: (request, caller) => choose(context, request, caller),
    async chosen(cookies) {
      const at = clock();
      const chosen = await tokens.readContext(cookies.context, at);
      const session = chosen && (await sessionOf(context, cookies, at));
      return session?.id === chosen?.session ? chosen?.preview : undefined;
    },
    async changes({ after, site }, cookies) {
      await requireSession(context, cookies, clock());
      const time = readTime("after", after).getTime();
      const [previous, next] = await Promise.all([
        findNearestChanges(context, site, time, "previous"),
        findNearestChanges(context, site, time, "next"),
      ]);
      return { previous, next };
    },
    share: (request, cookies) => share(context, request, cookies),
    isShare: async (token) => (await context.shareTokens.read(token, clock())) !== undefined,
    openShare: (token, caller) => openShare(context, token, caller),
  };
}
