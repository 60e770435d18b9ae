import { hour, type Moment, second } from "../../../../client/rules/time.ts";
import type { Account } from "../../../accounts/accounts.ts";
import {
  type AccountSession,
  endSessions,
  extendSession,
  findSession,
  startSession,
} from "../../../accounts/sessions.ts";
import { createSignedTokens, toSeconds } from "../../../accounts/signed-tokens.ts";
import { type Caller, readCookie, removeStaffCookies, writeStaffCookies } from "../../../http/cookies.ts";
import type { SecretKeys } from "../../../platform/secret-keys.ts";
import type { Preview } from "../../../rendering/visitor.ts";
import type { Site } from "../../../sites/countries.ts";
import type { Database } from "../../../store/open-store.ts";
import { previewPath } from "../service.ts";

export type StaffSessions = ReturnType<typeof createStaffSessions>;

type StaffRequest = Pick<Caller, "cookies">;

const types = { StaffAuthToken: "staff+jwt", CobraAuthToken: "cobra+jwt", PreviewContext: "preview-context+jwt" };
const linkType = "preview-share+jwt";
const linkLifetime = 72 * hour;

/**
 * Manages the sessions of staff, and stores and shares their preview. All state is in the store and in cookies, for any
 * number of replicas. The functions throw what the store throws.
 * @param provider - what identifies the identity provider and its rules: a session ends when these change; undefined if
 * staff sign in by password
 */
export function createStaffSessions({ keys }: { keys: SecretKeys }, db: Database, provider?: string) {
  const audience = "storefront-staff";
  const links = createSignedTokens(keys, audience);
  const tokens = provider === undefined ? links : createSignedTokens(keys, `${audience} of ${provider}`);
  return {
    /**
     * Starts a session in place of the caller's present one.
     * @returns values of Set-Cookie headers
     */
    async start(account: Pick<Account, "id">, caller: Caller): Promise<string[]> {
      await endSessions(db, await readSessionIds(caller));
      const session = await startSession(db, account.id);
      // A context cookie of an earlier session is no longer valid.
      return [...(await writeCredentials(session, caller)), ...writeStaffCookies({ PreviewContext: null }, caller)];
    },

    find,

    /**
     * Postpones the end of the caller's session.
     * @returns values of Set-Cookie headers; undefined if it has ended
     */
    async renew(caller: Caller): Promise<string[] | undefined> {
      const session = await find(caller);
      const extended = session && (await extendSession(db, session));
      return extended && writeCredentials(extended, caller);
    },

    /**
     * Ends the caller's session.
     * @returns values of Set-Cookie headers
     */
    async logout(caller: Caller): Promise<string[]> {
      await endSessions(db, await readSessionIds(caller));
      return removeStaffCookies(caller);
    },

    /**
     * Signs the preview of a session.
     * @returns values of Set-Cookie headers
     */
    async writePreview(session: AccountSession, preview: Preview, caller: Caller): Promise<string[]> {
      const PreviewContext = await sign("PreviewContext", session, claimsOf(preview), session.endsAt);
      return writeStaffCookies({ PreviewContext }, caller, secondsUntil(session.endsAt));
    },

    /** Finds the preview that the caller has chosen in this session; undefined if there is none. */
    async findPreview(request: StaffRequest): Promise<Preview | undefined> {
      const claims = await read<SessionClaims & PreviewClaims>(request, "PreviewContext");
      const session = claims && (await find(request));
      return session && claims.sid === session.id ? readPreview(claims) : undefined;
    },

    /**
     * Creates a link by which staff share a preview of a page. Only staff can open it.
     * @param path - the path of the page, with its query and fragment
     */
    async createLink(preview: Preview, path: string, { origin }: Site): Promise<{ url: string; expiresAt: Moment }> {
      const expiresAt = toSeconds(Date.now() + linkLifetime) * second;
      const token = await links.issue(linkType, { ...claimsOf(preview), path }, expiresAt);
      return { url: `${origin}${previewPath}?share=${token}`, expiresAt };
    },

    /** Reads the token of a link; undefined if it is invalid or has expired. */
    async readLink(token: string | undefined): Promise<{ preview: Preview; path: string } | undefined> {
      const claims = await links.read<PreviewClaims & { path: string }>(linkType, token);
      return claims && { preview: readPreview(claims), path: claims.path };
    },
  };

  /** Finds the session of a browser, which must send both credentials. */
  async function find(request: StaffRequest) {
    const [id, other] = await readSessionIds(request);
    return id === undefined || id !== other ? undefined : findSession(db, "staff", id);
  }

  /** Reads the id of the session from each credential; undefined for an invalid credential. */
  async function readSessionIds(request: StaffRequest): Promise<(string | undefined)[]> {
    return [(await read(request, "StaffAuthToken"))?.sid, (await read(request, "CobraAuthToken"))?.sid];
  }

  async function writeCredentials(session: AccountSession, caller: Caller): Promise<string[]> {
    const values = {
      StaffAuthToken: await sign("StaffAuthToken", session, {}, session.expiresAt),
      CobraAuthToken: await sign("CobraAuthToken", session, {}, session.expiresAt),
      preview: "true",
    };
    return writeStaffCookies(values, caller, secondsUntil(session.expiresAt));
  }

  function sign(name: keyof typeof types, { id }: AccountSession, claims: object, until: Moment): Promise<string> {
    return tokens.issue(types[name], { ...claims, sid: id }, until);
  }

  function read<Claims = SessionClaims>({ cookies }: StaffRequest, name: keyof typeof types) {
    return tokens.read<Claims>(types[name], readCookie({ cookies }, name));
  }
}

interface SessionClaims {
  /** Id of the session. */
  sid: string;
}

interface PreviewClaims {
  time: Moment;
  test?: string;
  group?: string;
}

function claimsOf({ at, selection }: Preview): PreviewClaims {
  return { time: at, ...selection };
}

function readPreview({ time, test, group }: PreviewClaims): Preview {
  return test !== undefined && group !== undefined ? { at: time, selection: { test, group } } : { at: time };
}

function secondsUntil(end: number): number {
  return Math.ceil((end - Date.now()) / second);
}
