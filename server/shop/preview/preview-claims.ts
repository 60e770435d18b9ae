import type { JWTPayload } from "jose";
import type { Preview } from "../../services/preview-service.ts";

/** What a token says of a preview. */
export function claimsOf({ at, selection }: Preview): JWTPayload {
  return { time: at, ...selection };
}

/** Undefined when the token says nothing of one. */
export function previewOf({ time, test, group }: JWTPayload): Preview | undefined {
  if (typeof time !== "number") return undefined;
  return typeof test === "string" && typeof group === "string"
    ? { at: time, selection: { test, group } }
    : { at: time };
}
