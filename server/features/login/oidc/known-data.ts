import { isEmail, normalizeEmail } from "../../../../client/rules/email.ts";
import type { ProviderSession } from "../../../accounts/provider-sessions.ts";

/** The claims about a customer, from the ID token or userinfo. */
export const knownClaims = ["email", "email_verified", "given_name", "family_name"] as const;

type KnownClaims = { [Claim in (typeof knownClaims)[number]]?: unknown };
type KnownData = Pick<ProviderSession, "email" | "firstName" | "lastName">;

/** Longer names are ignored: some providers let people choose any. */
const longestName = 256;

/**
 * Returns what a provider says about a customer. An address counts only if the provider has verified it: otherwise
 * anybody could read the subscriptions of another address.
 */
export function knownDataOf(claims: KnownClaims): KnownData {
  const email = typeof claims.email === "string" ? normalizeEmail(claims.email) : "";
  // Some providers, such as Cognito, write booleans as texts.
  const isVerified = claims.email_verified === true || claims.email_verified === "true";
  return {
    email: isVerified && isEmail(email) ? email : null,
    firstName: nameOf(claims.given_name),
    lastName: nameOf(claims.family_name),
  };
}

function nameOf(claim: unknown): string | null {
  const name = typeof claim === "string" ? claim.trim() : "";
  return name !== "" && name.length <= longestName ? name : null;
}
