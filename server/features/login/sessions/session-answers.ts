import type { Caller } from "../../../http/cookies.ts";
import { type OwnSessions, type ProviderLogin, type Renewal, removeClock } from "../service.ts";

type Customer = Awaited<ReturnType<ProviderLogin["identify"]>>;

/** How a login service finds the sessions in our own store. */
interface SessionLookups {
  renewSession(caller: Caller): Promise<Renewal>;
  /** Finds the customer of a caller's `login`. */
  identify(caller: Caller): Promise<Customer>;
  /** Finds the session of either credential. */
  findAny(caller: Caller): Promise<{ email: string | null } | undefined>;
}

type SessionAnswers = Pick<OwnSessions, "renewSession"> &
  Pick<ProviderLogin, "resumeSession" | "findSession" | "identify" | "findKnownEmail" | "removeEndedClock">;

/** Answers the calls about sessions in our own store, whether they began by a password or at a provider. */
export function answerFromSessions({ renewSession, identify, findAny }: SessionLookups): SessionAnswers {
  return {
    renewSession,
    identify,

    async resumeSession(caller) {
      const { status, cookies } = await renewSession(caller);
      return status === "ended" ? undefined : cookies;
    },

    async findSession(caller) {
      const customer = await identify(caller);
      return customer && { customer };
    },

    async findKnownEmail(caller) {
      const session = await findAny(caller);
      return session?.email ?? undefined;
    },

    removeEndedClock: async (caller) => ((await findAny(caller)) ? [] : [removeClock(caller)]),
  };
}
