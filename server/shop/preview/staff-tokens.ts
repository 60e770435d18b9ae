import type { JWTPayload } from "jose";
import type { Moment } from "../../../client/rules/time.ts";
import type { Preview } from "../../services/preview-service.ts";
import { createSignedTokens, toSeconds } from "../sign-in/signed-tokens.ts";
import type { TokenKeys } from "../sign-in/token-keys.ts";
import { claimsOfPreview, readPreviewClaims } from "./preview-claims.ts";
import { maxStaffTokenAge, type StaffSession } from "./staff-sessions.ts";

const issuer = "storefront-preview";
const audience = "storefront-staff";
const credentialTypes = { staff: "staff+jwt", cobra: "cobra+jwt" } as const;
const contextType = "preview-context+jwt";
const requiredClaims = ["exp", "iat", "sid"];

export type CredentialName = keyof typeof credentialTypes;

/** Signs and reads the tokens in the cookies of staff. */
export interface StaffTokens {
  signCredential(name: CredentialName, session: StaffSession, at: Moment): Promise<string>;
  /** Reads the id of the session; undefined when the token isn't one of ours, or not any more. */
  readCredential(name: CredentialName, token: string | undefined, at: Moment): Promise<string | undefined>;
  signContext(session: StaffSession, preview: Preview, at: Moment): Promise<string>;
  /** Reads what was chosen, and in which session; undefined when the token isn't one of ours, or not any more. */
  readContext(token: string | undefined, at: Moment): Promise<{ session: string; preview: Preview } | undefined>;
}

export function createStaffTokens(keys: TokenKeys): StaffTokens {
  const tokens = createSignedTokens(keys, { issuer, audience, maxAge: maxStaffTokenAge });
  return {
    signCredential: (name, session, at) => sign(credentialTypes[name], session, {}, session.expiresAt, at),
    async readCredential(name, token, at) {
      return (await read(token, credentialTypes[name], at))?.session;
    },
    signContext: (session, preview, at) => sign(contextType, session, claimsOfPreview(preview), session.endsAt, at),
    async readContext(token, at) {
      const { session, payload } = (await read(token, contextType, at)) ?? {};
      const preview = payload && readPreviewClaims(payload);
      return session && preview ? { session, preview } : undefined;
    },
  };

  function sign(typ: string, session: StaffSession, payload: JWTPayload, end: Moment, at: Moment) {
    const standard = { iss: issuer, aud: audience, sid: session.id, iat: toSeconds(at), exp: toSeconds(end) };
    return tokens.sign({ ...payload, ...standard }, typ, at);
  }

  async function read(token: string | undefined, typ: string, at: Moment) {
    const payload = await tokens.read(token, typ, requiredClaims, at);
    return typeof payload?.sid === "string" ? { session: payload.sid, payload } : undefined;
  }
}
