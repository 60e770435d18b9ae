import { errors, type JWTPayload, jwtVerify, SignJWT } from "jose";
import type { TokenKeys } from "../login/token-keys.ts";
import { hasOneSpelling, toSeconds } from "../login/tokens.ts";
import type { Preview } from "./preview-service.ts";
import { maxStaffTokenAge, type StaffSession } from "./staff-sessions.ts";

const algorithm = "HS256";
const issuer = "storefront-preview";
const audience = "storefront-staff";
const credentialTypes = { staff: "staff+jwt", cobra: "cobra+jwt" } as const;
const contextType = "preview-context+jwt";
/** By how much the clocks of replicas may differ, in seconds. */
const replicasDiffer = 5;

export type CredentialName = keyof typeof credentialTypes;

/** What the cookies of staff hold. All times in milliseconds since 1970 UTC. */
export interface StaffTokens {
  signCredential(name: CredentialName, session: StaffSession, at: number): Promise<string>;
  /** @returns the id of the session; undefined when the token isn't one of ours, or not any more */
  readCredential(name: CredentialName, token: string | undefined, at: number): Promise<string | undefined>;
  signContext(session: StaffSession, preview: Preview, at: number): Promise<string>;
  /** @returns what was chosen, and in which session; undefined as above */
  readContext(token: string | undefined, at: number): Promise<{ session: string; preview: Preview } | undefined>;
}

export function createStaffTokens(keys: TokenKeys): StaffTokens {
  return {
    signCredential: (name, session, at) => sign(credentialTypes[name], session, {}, session.expiresAt, at),
    async readCredential(name, token, at) {
      return (await read(token, credentialTypes[name], at))?.session;
    },
    signContext(session, { at: time, selection }, at) {
      return sign(contextType, session, { time: time.getTime(), ...selection }, session.endsAt, at);
    },
    async readContext(token, at) {
      const { session, payload } = (await read(token, contextType, at)) ?? {};
      const preview = payload && previewOf(payload);
      return session && preview ? { session, preview } : undefined;
    },
  };

  async function sign(typ: string, session: StaffSession, payload: JWTPayload, end: number, at: number) {
    const { id, secret } = await keys.current(at);
    const standard = { iss: issuer, aud: audience, sid: session.id, iat: toSeconds(at), exp: toSeconds(end) };
    return new SignJWT({ ...payload, ...standard }).setProtectedHeader({ alg: algorithm, typ, kid: id }).sign(secret);
  }

  async function read(token: string | undefined, typ: string, at: number) {
    if (token === undefined || !hasOneSpelling(token)) return undefined;
    try {
      const { payload } = await jwtVerify(token, ({ kid }) => findKey(kid, at), {
        ...{ algorithms: [algorithm], issuer, audience, typ },
        requiredClaims: ["exp", "iat", "sid"],
        maxTokenAge: maxStaffTokenAge / 1000,
        clockTolerance: replicasDiffer,
        currentDate: new Date(at),
      });
      return typeof payload.sid === "string" ? { session: payload.sid, payload } : undefined;
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }

  async function findKey(id: string | undefined, at: number): Promise<Uint8Array> {
    const key = await keys.find(id, at);
    if (!key) throw new errors.JWKSNoMatchingKey();
    return key.secret;
  }
}

function previewOf({ time, test, group }: JWTPayload): Preview | undefined {
  if (typeof time !== "number") return undefined;
  const at = new Date(time);
  return typeof test === "string" && typeof group === "string" ? { at, selection: { test, group } } : { at };
}
