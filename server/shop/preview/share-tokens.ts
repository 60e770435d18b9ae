import { hour, type Moment, second } from "../../../client/rules/time.ts";
import type { Preview } from "../../services/preview-service.ts";
import { createSignedTokens, toSeconds } from "../sign-in/signed-tokens.ts";
import type { TokenKeys } from "../sign-in/token-keys.ts";
import { claimsOfPreview, readPreviewClaims } from "./preview-claims.ts";

const issuer = "storefront-preview";
const audience = "storefront-preview-links";
const typ = "preview-share+jwt";
const requiredClaims = ["exp", "iat", "path"];
const lifetime = 72 * hour;

/** What a shared link shows: a page, and what was previewed there. */
export interface Share {
  preview: Preview;
  /** Path of the page, with its query and fragment. */
  path: string;
}

/** Signs and reads the tokens of shared links. */
export interface ShareTokens {
  sign(share: Share, at: Moment): Promise<{ token: string; expiresAt: Moment }>;
  /** Reads a token; undefined when it isn't one of ours, or not any more. */
  read(token: string | undefined, at: Moment): Promise<Share | undefined>;
}

export function createShareTokens(keys: TokenKeys): ShareTokens {
  const tokens = createSignedTokens(keys, { issuer, audience, maxAge: lifetime });
  return {
    async sign({ preview, path }, at) {
      const [iat, exp] = [toSeconds(at), toSeconds(at + lifetime)];
      const payload = { ...claimsOfPreview(preview), path, iss: issuer, aud: audience, iat, exp };
      return { token: await tokens.sign(payload, typ, at), expiresAt: exp * second };
    },
    async read(token, at) {
      const payload = await tokens.read(token, typ, requiredClaims, at);
      const preview = payload && readPreviewClaims(payload);
      return preview && typeof payload.path === "string" ? { preview, path: payload.path } : undefined;
    },
  };
}
