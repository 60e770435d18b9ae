import { hour, type Moment, second } from "../../../../client/rules/time.ts";
import { createSignedTokens, toSeconds } from "../../../accounts/signed-tokens.ts";
import type { SecretKeys } from "../../../platform/secret-keys.ts";
import type { Preview } from "../../../rendering/visitor.ts";
import type { Site } from "../../../sites/countries.ts";
import { claimsOf, previewIssuer, readPreview } from "./staff-sessions.ts";

/** Path of the staff sign-in page and of shared links. */
export const previewPath = "/preview";

const type = "preview-share+jwt";
const lifetime = 72 * hour;

export type SharedLinks = ReturnType<typeof createSharedLinks>;

/** Creates and reads the links by which staff share a preview of a page. They open for staff alone. */
export function createSharedLinks(keys: SecretKeys) {
  const tokens = createSignedTokens(keys, {
    issuer: previewIssuer,
    audience: "storefront-preview-links",
    maxAge: lifetime,
  });
  return {
    /** @param path - the path of the page, with its query and fragment */
    async create(preview: Preview, path: string, { origin }: Site): Promise<{ url: string; expiresAt: Moment }> {
      const expiresAt = toSeconds(Date.now() + lifetime) * second;
      const token = await tokens.issue(type, { ...claimsOf(preview), path }, expiresAt);
      return { url: `${origin}${previewPath}?share=${token}`, expiresAt };
    },

    /** Reads the token of a link; undefined when it is invalid or has expired. */
    async read(token: string | undefined): Promise<{ preview: Preview; path: string } | undefined> {
      const payload = await tokens.read(type, token);
      const preview = payload && readPreview(payload);
      return preview && typeof payload.path === "string" ? { preview, path: payload.path } : undefined;
    },
  };
}
