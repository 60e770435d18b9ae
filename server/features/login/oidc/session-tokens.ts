import type { ProviderSessionData } from "../../../accounts/provider-sessions.ts";
import { createSealedTexts } from "../../../platform/sealed-text.ts";
import type { SecretKeys } from "../../../platform/secret-keys.ts";

/** The tokens of a session that the provider has given. They never leave the server. */
interface SessionTokens {
  /** Renews the session; undefined if the provider gives none. */
  refreshToken?: string | undefined;
  /** Tells the provider at a logout whose session ends. */
  idToken: string;
}

/** Encrypts the tokens of sessions for the store. */
export function createSessionTokens(keys: SecretKeys) {
  const texts = createSealedTexts(keys, "provider sessions");
  return {
    seal: (tokens: SessionTokens): Promise<string> => texts.seal(JSON.stringify(tokens)),

    /** Decrypts the tokens; undefined if their secret was removed. */
    async open({ tokens }: Pick<ProviderSessionData, "tokens">): Promise<SessionTokens | undefined> {
      const text = await texts.open(tokens);
      return text === undefined ? undefined : JSON.parse(text);
    },
  };
}
