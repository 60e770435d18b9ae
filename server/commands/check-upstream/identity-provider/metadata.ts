import { type Differs, describe } from "../check-value.ts";

/** The people who sign in at the provider. */
export type Audience = "customers" | "staff";

/** What the discovery document of a usable provider has. */
export interface Metadata {
  authorization_endpoint: string;
  token_endpoint: string;
  jwks_uri: string;
  end_session_endpoint?: string;
  /** How the client sends its secret. */
  authentication: "client_secret_basic" | "client_secret_post";
  /** The algorithms of ID tokens that can be checked. */
  algorithms: string[];
}

/** The kind of key of each algorithm that a published key can check. */
export const keyTypes: Readonly<Record<string, string>> = {
  RS256: "RSA",
  RS384: "RSA",
  RS512: "RSA",
  PS256: "RSA",
  PS384: "RSA",
  PS512: "RSA",
  ES256: "EC",
  ES384: "EC",
  ES512: "EC",
  Ed25519: "OKP",
  EdDSA: "OKP",
};

const scopes = ["openid", "email", "profile"];

/**
 * Checks the discovery document of a provider (OpenID Connect Discovery 1.0, 3), and reports what the service needs of
 * it.
 * @param issuer - as the environment names it
 * @returns undefined if nothing else can be asked
 */
export function checkMetadata(
  found: Record<string, unknown>,
  issuer: string,
  audience: Audience,
  differs: Differs,
): Metadata | undefined {
  if (found.issuer !== issuer) differs("/issuer", `must be ${issuer}`, describe(found.issuer));
  const addresses = {
    authorization_endpoint: addressOf("authorization_endpoint"),
    token_endpoint: addressOf("token_endpoint"),
    jwks_uri: addressOf("jwks_uri"),
  };
  expectOne("response_types_supported", ["code"], []);
  for (const scope of scopes) expectOne("scopes_supported", [scope], []);
  // RFC 8414, 2: without it, the provider doesn't support PKCE.
  expectOne("code_challenge_methods_supported", ["S256"], []);
  expectOne("response_modes_supported", ["query"], ["query", "fragment"]);
  expectOne("id_token_signing_alg_values_supported", Object.keys(keyTypes), []);
  const secrets = ["client_secret_basic", "client_secret_post"] as const;
  expectOne("token_endpoint_auth_methods_supported", secrets, ["client_secret_basic"]);
  if (audience === "customers") checkSessions();
  const { authorization_endpoint, token_endpoint, jwks_uri } = addresses;
  if (!authorization_endpoint || !token_endpoint || !jwks_uri) return undefined;
  const methods = listOf("token_endpoint_auth_methods_supported", ["client_secret_basic"]);
  const ofSession = found.end_session_endpoint === undefined ? undefined : String(found.end_session_endpoint);
  return {
    authorization_endpoint,
    token_endpoint,
    jwks_uri,
    ...(ofSession && URL.canParse(ofSession) && { end_session_endpoint: ofSession }),
    authentication: methods.includes("client_secret_basic") ? "client_secret_basic" : "client_secret_post",
    algorithms: listOf("id_token_signing_alg_values_supported", []).filter((algorithm) => algorithm in keyTypes),
  };

  /** Checks what renewals and both kinds of logout need. */
  function checkSessions(): void {
    const isOffline = listOf("scopes_supported", []).includes("offline_access");
    if (!isOffline) expectOne("grant_types_supported", ["refresh_token"], ["authorization_code", "implicit"]);
    addressOf("end_session_endpoint");
    for (const name of ["backchannel_logout_supported", "backchannel_logout_session_supported"])
      if (found[name] !== true) differs(`/${name}`, "must be true", describe(found[name]));
  }

  function addressOf(name: string): string | undefined {
    const value = found[name];
    const isAddress = typeof value === "string" && URL.canParse(value);
    // A provider on this machine may do without TLS.
    if (isAddress && (value.startsWith("https:") || issuer.startsWith("http:"))) return value;
    differs(`/${name}`, "must be an https address", describe(value));
    return undefined;
  }

  function expectOne(name: string, wanted: readonly string[], byDefault: readonly string[]): void {
    const values = listOf(name, byDefault);
    if (wanted.some((value) => values.includes(value))) return;
    differs(`/${name}`, `must contain ${wanted.join(" or ")}`, describe(found[name]));
  }

  function listOf(name: string, byDefault: readonly string[]): readonly string[] {
    const value = found[name] ?? byDefault;
    return Array.isArray(value) ? value.map(String) : [];
  }
}
