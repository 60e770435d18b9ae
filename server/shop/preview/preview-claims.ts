import type { JWTPayload } from "jose";
import type { Preview } from "../../services/preview-service.ts";

/** What a token says of a preview. */
export function claimsOfPreview({ at, selection }: Preview): JWTPayload {
  return { time: at, ...selection };
}

/** Reads what a token says of a preview; undefined when it says nothing of one. */
export function readPreviewClaims({ time, test, group }: JWTPayload): Preview | undefined {
  if (typeof time !== "number") return undefined;
  return typeof test === "string" && typeof group === "string"
    ? { at: time, selection: { test, group } }
    : { at: time };
}
