import { setTimeout as pause } from "node:timers/promises";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { isReported, nameOf } from "../platform/errors.ts";
import type { Logger } from "../platform/logger.ts";
import type { Provider } from "./provider.ts";

/** How long a sign-out waits to learn whether the provider answers. */
const longestWait: Milliseconds = 2 * second;

/**
 * Creates the functions that end a customer's session at the provider, too. A failure never keeps the session here from
 * ending.
 */
export function createProviderLogout({ issuer, fetch, configuration }: Provider, logger: Logger) {
  return { leave, revoke };

  /**
   * Returns the address at the provider where a visitor's session there ends, and which leads back (OpenID Connect
   * RP-Initiated Logout 1.0). There is no `state`: nothing is left here that it could prove.
   * @param idToken - says whose session it is
   * @param returnTo - the address here, which the provider must know
   * @returns undefined if the provider doesn't answer, has no such address, or has it at another origin than the
   * issuer's: the policy of pages names only the issuer's, and Chromium wouldn't follow a form elsewhere
   */
  async function leave(idToken: string, returnTo: string): Promise<string | undefined> {
    const giveUp = new AbortController();
    const late = pause(longestWait, undefined, { signal: giveUp.signal });
    try {
      return await Promise.race([findAddress(idToken, returnTo), late]);
    } catch (error) {
      report(error, "the identity provider could not be told of a sign-out");
      return undefined;
    } finally {
      giveUp.abort();
    }
  }

  async function findAddress(idToken: string, returnTo: string): Promise<string | undefined> {
    const found = await configuration();
    const { end_session_endpoint: address, jwks_uri: keys } = found.serverMetadata();
    if (address === undefined || keys === undefined) return undefined;
    if (new URL(address).origin !== new URL(issuer).origin) return undefined;
    // The address may have been known for an hour, and a browser that is led to a dead provider is stuck there.
    await fetch(keys, { method: "GET", headers: {}, redirect: "manual", body: undefined });
    const client = await import("openid-client");
    return client.buildEndSessionUrl(found, { id_token_hint: idToken, post_logout_redirect_uri: returnTo }).href;
  }

  /** Makes a refresh token worthless at the provider, if it can do that (RFC 7009). Doesn't throw. */
  async function revoke(refreshToken: string): Promise<void> {
    try {
      const found = await configuration();
      if (found.serverMetadata().revocation_endpoint === undefined) return;
      const client = await import("openid-client");
      await client.tokenRevocation(found, refreshToken, { token_type_hint: "refresh_token" });
    } catch (error) {
      report(error, "a refresh token could not be revoked");
    }
  }

  function report(error: unknown, message: string): void {
    if (!isReported(error)) logger.warn({ reason: nameOf(error) }, message);
  }
}
