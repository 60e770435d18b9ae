import type { Moment } from "../../../client/rules/time.ts";
import type { Metrics } from "../../metrics.ts";
import type { ReportEvent } from "../../security-events.ts";
import type { Customer } from "../../services/customer-service.ts";
import { writeDevice } from "../../services/device-cookies.ts";
import { removeLoginCookies } from "../../services/login-cookies.ts";
import type { Credentials, LoginCaller, LoginService } from "../../services/login-service.ts";
import { createSignIn } from "../sign-in/sign-in.ts";
import { createTokenKeys } from "../sign-in/token-keys.ts";
import type { Database } from "../store/open-store.ts";
import { customerAccounts } from "./customer-accounts.ts";
import { findKnownEmail, identify } from "./identify.ts";
import { issueCookies } from "./issue-cookies.ts";
import type { LoginParts } from "./login-parts.ts";
import { renew, type SessionRenewal } from "./renew.ts";
import { findByClaims, loginSessions } from "./sessions.ts";
import { createTokens, readCredentials, readLoginSessions } from "./tokens.ts";

/** The embedded login service, which keeps the sessions, too. Its calls throw what the store throws. */
export interface EmbeddedLogin extends LoginService {
  renew(caller: LoginCaller): Promise<SessionRenewal>;
  identify(credentials: Credentials): Promise<Customer | undefined>;
  findKnownEmail(credentials: Credentials): Promise<string | undefined>;
}

interface LoginDeps {
  db: Database;
  metrics: Pick<Metrics, "signIns">;
  report: ReportEvent;
  clock?: () => Moment;
}

/** Creates the embedded login service. Its state is in the store alone, so that any number of replicas can share it. */
export async function createLogin({ db, metrics, report, clock = Date.now }: LoginDeps): Promise<EmbeddedLogin> {
  const tokens = createTokens(createTokenKeys(db));
  const parts: LoginParts = { db, tokens, report, clock };
  const kind = { accounts: customerAccounts, sessions: loginSessions, name: "login" } as const;
  const signIn = await createSignIn({ ...kind, db, metrics, report, clock });
  return {
    login: ({ email, password, stayLoggedIn }, caller) =>
      signIn(
        { email, password, address: caller.address, device: caller.device },
        {
          presented: (at) => readLoginSessions(tokens, caller.credentials, at),
          async start(accountId, device, at) {
            const own = { accountId, stay: stayLoggedIn ? 1 : 0, generation: 0, rotatedAt: null };
            const cookies = await issueCookies(parts, await loginSessions.start(db, own, at), caller, at);
            return [...cookies, writeDevice("customer", device, caller)];
          },
        },
      ),
    async removeEnded(caller) {
      const at = clock();
      const { login, longterm } = caller.credentials;
      if (login === undefined && longterm === undefined) return [];
      const claims = await readCredentials(tokens, caller.credentials, at);
      const session = claims && (await findByClaims(db, claims, at));
      return session ? [] : removeLoginCookies(caller);
    },
    renew: (caller) => renew(parts, caller),
    async logout(caller) {
      await loginSessions.endEach(db, await readLoginSessions(tokens, caller.credentials, clock()));
      return removeLoginCookies(caller);
    },
    identify: (credentials) => identify(parts, credentials),
    findKnownEmail: (credentials) => findKnownEmail(parts, credentials),
  };
}
