import type { JWTPayload } from "jose";
import { hour, type Moment, second } from "../../../../client/rules/time.ts";
import { type Session, sessionLimits } from "../../../accounts/sessions.ts";
import { createSignedTokens, toSeconds } from "../../../accounts/signed-tokens.ts";
import type { SecretKeys } from "../../../platform/secret-keys.ts";
import type { Preview } from "../../../rendering/visitor.ts";

const issuer = "storefront-preview";
const staffAudience = "storefront-staff";
const shareAudience = "storefront-preview-links";
const credentialTypes = { staff: "staff+jwt", cobra: "cobra+jwt" };
const contextType = "preview-context+jwt";
const shareType = "preview-share+jwt";
const shareLifetime = 72 * hour;

/** The content of a shared link: a page, and the preview there. */
interface Share {
  preview: Preview;
  /** Path of the page, with its query and fragment. */
  path: string;
}

/**
 * Creates the tokens in the cookies of staff and in shared links. The readers return undefined for a token that is
 * invalid or has expired.
 */
export function createPreviewTokens(keys: SecretKeys) {
  const staff = createSignedTokens(keys, { issuer, audience: staffAudience, maxAge: sessionLimits.absolute });
  const shares = createSignedTokens(keys, { issuer, audience: shareAudience, maxAge: shareLifetime });
  return {
    signCredential: (name: keyof typeof credentialTypes, session: Session, at: Moment) =>
      signStaff(credentialTypes[name], session, {}, session.expiresAt, at),

    /** Reads the id of the session. */
    async readCredential(name: keyof typeof credentialTypes, token: string | undefined, at: Moment) {
      return (await readStaff(token, credentialTypes[name], at))?.session;
    },

    signContext: (session: Session, preview: Preview, at: Moment) =>
      signStaff(contextType, session, claimsOf(preview), session.endsAt, at),

    /** Reads what is previewed, and in which session. */
    async readContext(token: string | undefined, at: Moment) {
      const { session, payload } = (await readStaff(token, contextType, at)) ?? {};
      const preview = payload && readPreview(payload);
      return session && preview ? { session, preview } : undefined;
    },

    async signShare({ preview, path }: Share, at: Moment): Promise<{ token: string; expiresAt: Moment }> {
      const [iat, exp] = [toSeconds(at), toSeconds(at + shareLifetime)];
      const payload = { ...claimsOf(preview), path, iss: issuer, aud: shareAudience, iat, exp };
      return { token: await shares.sign(payload, shareType), expiresAt: exp * second };
    },

    async readShare(token: string | undefined, at: Moment): Promise<Share | undefined> {
      const payload = await shares.read(token, shareType, ["exp", "iat", "path"], at);
      const preview = payload && readPreview(payload);
      return preview && typeof payload.path === "string" ? { preview, path: payload.path } : undefined;
    },
  };

  function signStaff(typ: string, session: Session, payload: JWTPayload, end: Moment, at: Moment) {
    const standard = { iss: issuer, aud: staffAudience, sid: session.id, iat: toSeconds(at), exp: toSeconds(end) };
    return staff.sign({ ...payload, ...standard }, typ);
  }

  async function readStaff(token: string | undefined, typ: string, at: Moment) {
    const payload = await staff.read(token, typ, ["exp", "iat", "sid"], at);
    return typeof payload?.sid === "string" ? { session: payload.sid, payload } : undefined;
  }
}

function claimsOf({ at, selection }: Preview): JWTPayload {
  return { time: at, ...selection };
}

function readPreview({ time, test, group }: JWTPayload): Preview | undefined {
  if (typeof time !== "number") return undefined;
  return typeof test === "string" && typeof group === "string"
    ? { at: time, selection: { test, group } }
    : { at: time };
}
