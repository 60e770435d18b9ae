import type { StaffAccess } from "../../../config/identity-providers.ts";

/** Why somebody whom the provider has signed in gets no preview. */
export type AccessRefusal = "notAllowed" | "weak";

/**
 * Checks whether the provider's claims allow the preview.
 * @returns undefined if they do; `weak` if only the way in which the person has signed in isn't enough
 */
export function findAccessRefusal(
  { claim, value, acr }: StaffAccess,
  claims: Readonly<Record<string, unknown>>,
): AccessRefusal | undefined {
  if (!valuesOf(claims[claim]).includes(value)) return "notAllowed";
  const proven = [...valuesOf(claims.acr), ...valuesOf(claims.amr)];
  return acr === undefined || proven.includes(acr) ? undefined : "weak";
}

/** Returns the values of a claim, which is a text or a list. */
function valuesOf(claim: unknown): unknown[] {
  return Array.isArray(claim) ? claim : [claim];
}
