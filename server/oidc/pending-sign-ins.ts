import { type Milliseconds, type Moment, minute, second } from "../../client/rules/time.ts";
import { createSignedTokens } from "../accounts/signed-tokens.ts";
import { type Caller, readCookie, writeCookie } from "../http/cookies.ts";
import type { SecretKeys } from "../platform/secret-keys.ts";
import type { AccountKind } from "../platform/security-events.ts";

/** A sign-in that a browser has begun at a provider, and not yet ended. */
interface PendingSignIn {
  state: string;
  nonce: string;
  /** The secret of PKCE (https://www.rfc-editor.org/rfc/rfc7636). */
  verifier: string;
  begunAt: Moment;
  /** What the sign-in leads to, such as the token of a shared preview. */
  target?: string | undefined;
}

/** How long a person may take at the provider. Some register there first, and confirm their address. */
export const pendingLifetime: Milliseconds = 15 * minute;
/** A browser may begin in several tabs. */
const maxPending = 3;

const names = { customer: "CustomerSignIn", staff: "StaffSignIn" } as const;
const type = "sign-in+jwt";

/** Keeps the sign-ins that a browser has begun in one signed cookie, which no other browser has. */
export function createPendingSignIns(keys: SecretKeys, kind: AccountKind) {
  const tokens = createSignedTokens(keys, `${kind} sign-ins`);
  return {
    /**
     * Adds a sign-in.
     * @returns the value of a Set-Cookie header
     */
    add: async (caller: Caller, pending: PendingSignIn): Promise<string> =>
      write(caller, [...(await read(caller)), pending].slice(-maxPending)),

    /**
     * Takes the sign-in of a state out of the cookie.
     * @returns `pending` is undefined if this browser has none; `cookie` is the value of a Set-Cookie header
     */
    async take(caller: Caller, state: string | null) {
      const all = await read(caller);
      const pending = all.find((one) => one.state === state);
      return {
        pending,
        cookie: await write(
          caller,
          all.filter((one) => one !== pending),
        ),
      };
    },
  };

  /**
   * With this prefix, neither another host nor a page without TLS can plant a cookie that signs the visitor in as
   * somebody else.
   */
  function nameFor({ secure }: Caller): string {
    return secure ? `__Host-${names[kind]}` : names[kind];
  }

  async function read(caller: Caller): Promise<PendingSignIn[]> {
    const claims = await tokens.read<{ pending: PendingSignIn[] }>(type, readCookie(caller, nameFor(caller)));
    const oldest = Date.now() - pendingLifetime;
    return claims?.pending.filter(({ begunAt }) => begunAt > oldest) ?? [];
  }

  async function write(caller: Caller, pending: readonly PendingSignIn[]): Promise<string> {
    const [name, { secure }] = [nameFor(caller), caller];
    if (pending.length === 0) return writeCookie(name, null, { secure });
    const token = await tokens.issue(type, { pending }, Date.now() + pendingLifetime);
    return writeCookie(name, token, { secure, lifetime: pendingLifetime / second });
  }
}
