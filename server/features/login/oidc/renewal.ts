import { setTimeout as pause } from "node:timers/promises";
import type { Milliseconds } from "../../../../client/rules/time.ts";
import {
  endProviderSessions,
  findProviderSession,
  leaseRefreshToken,
  leaseTime,
  type ProviderSession,
  releaseRefreshToken,
  renewProviderSession,
} from "../../../accounts/provider-sessions.ts";
import type { Provider } from "../../../oidc/provider.ts";
import { UnavailableError } from "../../../platform/errors.ts";
import type { Database } from "../../../store/open-store.ts";
import type { createSessionTokens } from "./session-tokens.ts";

/** The time between two looks at a renewal that another tab has begun, perhaps at another replica. */
const waitInterval: Milliseconds = 50;

/**
 * Creates the renewal of sessions by their refresh tokens. Each token is used once, however many tabs and replicas want
 * to renew the session at the same time: a lease in the store lets one of them ask, and the others get its result.
 * @returns a function that renews a session, or returns undefined if the session has ended; it throws UnavailableError
 * if the provider can't answer
 */
export function createRenewal(db: Database, provider: Provider, tokens: ReturnType<typeof createSessionTokens>) {
  return async (session: ProviderSession): Promise<ProviderSession | undefined> => {
    const leasedUntil = await leaseRefreshToken(db, session);
    if (leasedUntil === undefined) return awaitOther(session);
    try {
      return await askProvider(session);
    } catch (error) {
      await releaseRefreshToken(db, session, leasedUntil);
      throw error;
    }
  };

  async function askProvider(session: ProviderSession): Promise<ProviderSession | undefined> {
    const { refreshToken, idToken } = (await tokens.open(session)) ?? {};
    const result = refreshToken ? await provider.refresh(refreshToken, session.sub) : { status: "ended" as const };
    if (!refreshToken || !idToken || result.status === "ended") {
      await endProviderSessions(db, [session.id]);
      return undefined;
    }
    const renewed = {
      refreshToken: result.refreshToken ?? refreshToken,
      idToken: result.idToken ?? idToken,
    };
    return renewProviderSession(db, session, await tokens.seal(renewed));
  }

  /** Waits for the renewal that has the lease. */
  async function awaitOther({ id, generation }: ProviderSession): Promise<ProviderSession | undefined> {
    for (const start = performance.now(); performance.now() - start < leaseTime; await pause(waitInterval)) {
      const current = await findProviderSession(db, id);
      if (!current || current.generation !== generation) return current;
      if (current.leasedUntil === null) break;
    }
    throw new UnavailableError("the renewal of a session by another call has failed");
  }
}
