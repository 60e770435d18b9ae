import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTHeaderParameters,
  SignJWT,
  UnsecuredJWT,
} from "jose";
import { onTestFinished } from "vitest";
import { parseForm } from "./parse-form.ts";
import { json } from "./start-stub.ts";

/** The claims of a token; an undefined one is left out. */
type Claims = Record<string, unknown>;

/** How a token differs from the right one. */
export interface TokenChanges {
  claims?: Claims;
  header?: Partial<JWTHeaderParameters>;
  /** `shared` is the client's secret, `unknown` a key that the provider doesn't publish. */
  key?: "published" | "shared" | "unknown" | "none";
}

const now = () => Math.floor(Date.now() / 1000);

/** Every way in which an ID token must be refused. */
export const wrongIdTokens: Record<string, () => TokenChanges> = {
  "another issuer": () => ({ claims: { iss: "https://other.example" } }),
  "another audience": () => ({ claims: { aud: "other" } }),
  "another authorized party": () => ({ claims: { aud: ["shop", "other"], azp: "other" } }),
  "another nonce": () => ({ claims: { nonce: "other" } }),
  "no nonce": () => ({ claims: { nonce: undefined } }),
  "no subject": () => ({ claims: { sub: undefined } }),
  "an expired token": () => ({ claims: { iat: now() - 7200, exp: now() - 3600 } }),
  "a token from the future": () => ({ claims: { iat: now() + 3600, exp: now() + 7200 } }),
  "a token that isn't valid yet": () => ({ claims: { nbf: now() + 3600, exp: now() + 7200 } }),
  "an unknown key": () => ({ header: { kid: "unknown" }, key: "unknown" }),
  "another key under a known name": () => ({ key: "unknown" }),
  "a signature by the client's secret": () => ({ header: { alg: "HS256" }, key: "shared" }),
  "no signature": () => ({ key: "none" }),
};

/** The only client that it knows. */
interface KnownClient {
  id: string;
  secret: string;
  /** The addresses to which it leads back; any if undefined. */
  callbacks?: readonly string[];
}

export interface MisbehavingProvider {
  issuer: string;
  /** The requests so far, such as `POST /token`. */
  requests: string[];
  /** What replaces the answer of a path, such as `hang` for `/token`. */
  answers: Map<string, RequestListener>;
  /** Headers of each answer, such as `Date`. */
  headers: Record<string, string>;
  /** What replaces values of its metadata; undefined removes one. */
  metadata: Record<string, unknown>;
  /** The claims of the person who signs in. */
  person: Claims;
  /** Whether it gives refresh tokens. */
  hasRefreshTokens: boolean;
  /** How the next ID tokens differ from right ones. */
  idToken: TokenChanges;
  /** Signs with another key from now on, and publishes only that. */
  rotateKey(): Promise<void>;
  /** Signs a logout token, for a call to the back channel. */
  signLogoutToken(changes?: TokenChanges): Promise<string>;
}

interface SigningKey {
  kid: string;
  privateKey: CryptoKey;
  /** As it is published. */
  jwk: JWK;
}

/**
 * Starts a provider that does as it is told, and ends with the test. It asks nobody: it leads back with a code at once.
 * Until it is told otherwise, everything is right.
 */
export async function startMisbehavingProvider(client: KnownClient): Promise<MisbehavingProvider> {
  const keys: SigningKey[] = [await createKey(1)];
  const unknown = await createKey(0);
  /** The nonce of each code that wasn't used yet. */
  const codes = new Map<string, string | null>();
  let issued = 0;
  const right: Record<string, RequestListener> = {
    "/.well-known/openid-configuration": (_request, response) =>
      send(response, { ...metadataOf(issuer), ...provider.metadata }),
    "/jwks": (_request, response) => send(response, { keys: keys.slice(-1).map(({ jwk }) => jwk) }),
    "/auth": authorize,
    "/token": (request, response) => void grant(request, response),
    "/userinfo": (_request, response) => send(response, provider.person),
  };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", issuer);
    provider.requests.push(`${request.method} ${pathname}`);
    for (const [name, value] of Object.entries(provider.headers)) response.setHeader(name, value);
    const listener = provider.answers.get(pathname) ?? right[pathname] ?? json("{}", 404);
    listener(request, response);
  }).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: MisbehavingProvider = {
    issuer,
    requests: [],
    answers: new Map(),
    headers: {},
    metadata: {},
    person: { sub: "ada", email: "ada@shop.example", email_verified: true },
    hasRefreshTokens: true,
    idToken: {},
    async rotateKey() {
      keys.push(await createKey(keys.length + 1));
    },
    signLogoutToken({ claims, ...changes } = {}) {
      const events = { "http://schemas.openid.net/event/backchannel-logout": {} };
      const right = { sub: provider.person.sub, jti: `logout-${++issued}`, events };
      return sign({ header: { typ: "logout+jwt" }, ...changes, claims: { ...right, ...claims } });
    },
  };
  return provider;

  function authorize(request: IncomingMessage, response: ServerResponse): void {
    const { searchParams } = new URL(request.url ?? "/", issuer);
    const callback = searchParams.get("redirect_uri") ?? "";
    const isKnown = client.callbacks?.includes(callback) ?? URL.canParse(callback);
    if (!isKnown || searchParams.get("client_id") !== client.id) {
      send(response, {}, 400);
      return;
    }
    const code = `code-${++issued}`;
    codes.set(code, searchParams.get("nonce"));
    const back = new URL(callback);
    back.search = new URLSearchParams({ code, state: searchParams.get("state") ?? "" }).toString();
    response.writeHead(303, { Location: back.href }).end();
  }

  async function grant(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { grant_type, code = "", refresh_token = "" } = await parseForm(request);
    if (!isAuthenticated(request, client)) return send(response, { error: "invalid_client" }, 401);
    const nonce = codes.get(code) ?? undefined;
    const isRight = grant_type === "refresh_token" ? refresh_token.startsWith("refresh-") : codes.delete(code);
    if (!isRight) return send(response, { error: "invalid_grant" }, 400);
    const { claims, ...changes } = provider.idToken;
    const id_token = await sign({ ...changes, claims: { ...provider.person, nonce, ...claims } });
    const renewal = provider.hasRefreshTokens && { refresh_token: `refresh-${++issued}` };
    const tokens = { access_token: `access-${issued}`, ...renewal, id_token };
    send(response, { ...tokens, token_type: "Bearer", expires_in: 60 });
  }

  async function sign({ claims, header, key = "published" }: TokenChanges): Promise<string> {
    const payload = { iss: issuer, aud: client.id, iat: now(), exp: now() + 60, ...claims };
    if (key === "none") return new UnsecuredJWT(payload).encode();
    const current = keys.at(-1) ?? unknown;
    const shared = new TextEncoder().encode(client.secret);
    const by = { published: current.privateKey, unknown: unknown.privateKey, shared }[key];
    return new SignJWT(payload).setProtectedHeader({ alg: "ES256", kid: current.kid, ...header }).sign(by);
  }
}

async function createKey(number: number): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  const kid = `key-${number}`;
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, use: "sig", alg: "ES256" } };
}

function metadataOf(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/jwks`,
    end_session_endpoint: `${issuer}/logout`,
    scopes_supported: ["openid", "email", "profile", "offline_access"],
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    id_token_signing_alg_values_supported: ["ES256"],
    code_challenge_methods_supported: ["S256"],
    claims_supported: ["sub", "sid", "email", "email_verified", "given_name", "family_name", "groups"],
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
  };
}

/** Whether the header has the client's id and secret, each encoded as in a form (RFC 6749, 2.3.1). */
function isAuthenticated({ headers }: IncomingMessage, { id, secret }: KnownClient): boolean {
  const sent = Buffer.from(headers.authorization?.replace("Basic ", "") ?? "", "base64").toString();
  const [user, password] = sent.split(":").map((part) => new URLSearchParams(`part=${part}`).get("part"));
  return user === id && password === secret;
}

function send(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}
