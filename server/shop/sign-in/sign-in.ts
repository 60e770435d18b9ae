import { hour, type Moment, minute } from "../../../client/rules/time.ts";
import { UnavailableError } from "../../errors.ts";
import type { Metrics } from "../../metrics.ts";
import type { ReportEvent } from "../../security-events.ts";
import type { SignInResult } from "../../services/sign-in-result.ts";
import type { Database } from "../store/open-store.ts";
import { createRateLimiter } from "../store/rate-limiter.ts";
import { type Accounts, loginNameOf } from "./accounts.ts";
import { createTurns } from "./in-turn.ts";
import { openKnownDevices } from "./known-devices.ts";
import type { Sessions } from "./sessions.ts";
import { openThrottle } from "./throttle.ts";
import { type Attempt, tryPassword } from "./try-password.ts";

interface SignInDeps {
  db: Database;
  accounts: Accounts;
  sessions: Pick<Sessions<"loginSession" | "staffSession">, "endEach">;
  /** The kind of accounts, as tries of customers and of staff are counted apart. */
  name: "login" | "staff";
  metrics: Pick<Metrics, "signIns">;
  report: ReportEvent;
  clock(): Moment;
}

/** What happens after the right password was entered. */
interface Beginning {
  /** Reads the credentials that the browser still has: the session of each, undefined for one that isn't good. */
  presented(at: Moment): Promise<readonly (string | undefined)[]>;
  /**
   * Starts the new session, and returns the values of Set-Cookie headers that bring it to the browser.
   * @param device - by what the browser is known from now on
   */
  start(accountId: string, device: string, at: Moment): Promise<string[]>;
}

/**
 * Signs somebody in. Tries of one address, or of one known browser, take turns. A session that the browser still has
 * ends when the new one starts. It throws UnavailableError with the cause when nobody can sign in at the moment.
 */
export type SignIn = (attempt: Attempt, beginning: Beginning) => Promise<SignInResult>;

/** Creates the sign-in for accounts of one kind. Its limits are in the store, so that all replicas count together. */
export async function createSignIn(deps: SignInDeps): Promise<SignIn> {
  const { db, accounts, sessions, name, metrics, report, clock } = deps;
  const inTurn = createTurns();
  const devices = await openKnownDevices(db, name);
  const parts = {
    db,
    accounts,
    report,
    throttle: await openThrottle(db, name),
    // The limit of a network is wide, as it may stand for an office or for many customers of a provider.
    limiter: createRateLimiter(
      db,
      [
        { name: `${name}-minute`, points: 30, duration: minute },
        { name: `${name}-hour`, points: 300, duration: hour },
      ],
      report,
    ),
  };
  return async (attempt, beginning) => {
    const result = await signIn(attempt, beginning);
    metrics.signIns.inc({ kind: accounts.kind, outcome: result.status });
    return result;
  };

  function signIn(attempt: Attempt, { presented, start }: Beginning): Promise<SignInResult> {
    const loginName = loginNameOf(attempt.email);
    const counter = devices.counterOf(loginName, attempt.device);
    return inTurn(counter, async () => {
      const at = clock();
      const tried = await tryPassword(parts, attempt, counter, at);
      if (tried.status !== "right") return tried;
      await sessions.endEach(db, await presented(at));
      const cookies = await start(tried.account.id, devices.admit(loginName), at);
      return { status: "success" as const, cookies };
    }).catch((cause: unknown) => {
      throw new UnavailableError("nobody can sign in", { cause });
    });
  }
}
