import type { Logger } from "../../logger.ts";
import type { Customer } from "../../services/customer-service.ts";
import type { Credentials, LoginCaller, LoginService } from "../../services/login-service.ts";
import { createTurns } from "../sign-in/in-turn.ts";
import { createThrottle } from "../sign-in/throttle.ts";
import { createTokenKeys } from "../sign-in/token-keys.ts";
import { loadServiceKey } from "../store/load-service-key.ts";
import type { Database } from "../store/open-store.ts";
import { createRateLimiter } from "../store/rate-limiter.ts";
import { identify } from "./identify.ts";
import { logIn } from "./log-in.ts";
import { logOut } from "./log-out.ts";
import type { LoginContext } from "./login-context.ts";
import { type Renewal, renew } from "./renew.ts";
import { createTokens } from "./tokens.ts";

/** The embedded login service: beside signing in, it keeps the sessions. These may throw what the store throws. */
export interface EmbeddedLogin extends LoginService {
  renew(caller: LoginCaller): Promise<Renewal>;
  /** Returns values of Set-Cookie headers. */
  logout(caller: LoginCaller): Promise<string[]>;
  identify(credentials: Credentials): Promise<Customer | undefined>;
}

interface LoginDeps {
  db: Database;
  logger: Logger;
  clock?: () => number;
}

const minute = 60_000;
/** Failures of a network, of which one may stand for many customers. */
const budgets = [
  { name: "login-minute", points: 30, duration: minute },
  { name: "login-hour", points: 300, duration: 60 * minute },
];

/** Creates the embedded login service, whose state is in the store alone: any number of them can share it. */
export async function createLogin({ db, logger, clock = Date.now }: LoginDeps): Promise<EmbeddedLogin> {
  const context: LoginContext = {
    ...{ db, logger, clock },
    tokens: createTokens(createTokenKeys(db)),
    limiter: createRateLimiter(db, budgets),
    inTurn: createTurns(),
    throttle: createThrottle(db, await loadServiceKey(db, "login-throttle")),
  };
  return {
    async login(request, caller) {
      try {
        return await logIn(context, request, caller);
      } catch (error) {
        logger.error({ err: error }, "login failed");
        return { status: "unavailable" };
      }
    },
    renew: (caller) => renew(context, caller),
    logout: (caller) => logOut(context, caller),
    identify: (credentials) => identify(context, credentials),
  };
}
