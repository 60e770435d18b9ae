import type { JWTPayload } from "jose";
import type { Preview } from "../../services/preview-service.ts";

/** The claims of a token that tell a preview. */
export function claimsOfPreview({ at, selection }: Preview): JWTPayload {
  return { time: at, ...selection };
}

/** Reads a preview from the claims of a token; undefined when they tell none. */
export function readPreviewClaims({ time, test, group }: JWTPayload): Preview | undefined {
  if (typeof time !== "number") return undefined;
  return typeof test === "string" && typeof group === "string"
    ? { at: time, selection: { test, group } }
    : { at: time };
}
