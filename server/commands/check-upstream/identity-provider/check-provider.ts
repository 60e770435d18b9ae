import { createHash, randomBytes } from "node:crypto";
import { second } from "../../../../client/rules/time.ts";
import type { IdentityProvider } from "../../../config/identity-providers.ts";
import { describe } from "../check-value.ts";
import type { Skip } from "../findings.ts";
import { type Audience, checkMetadata, keyTypes, type Metadata } from "./metadata.ts";
import type { AskProvider, ProviderAnswer, ProviderCall } from "./provider-probe.ts";

/** This service as a client of a provider. */
export interface CheckedClient extends IdentityProvider {
  audience: Audience;
  /** The case that deviations name, such as `customers of DE`. */
  who: string;
  /** The variable of its secret. */
  secretVariable: string;
  /** Where the provider leads back to after a sign-in, on each site. */
  callbacks: readonly string[];
  /** Where it leads after a logout. */
  afterLogout: readonly string[];
  /** Claims of a person on which something depends. */
  claims: readonly string[];
  /** What a sign-in must prove, such as a second factor. */
  acr?: string | undefined;
}

/** How far the clocks of provider and service may differ, in seconds, before ID tokens are refused. */
const clockTolerance = 30;
/** The errors of a provider that knows the client, when nobody has signed in (OpenID Connect Core 1.0, 3.1.2.6). */
const nobodySignedIn = ["login_required", "interaction_required", "consent_required", "account_selection_required"];
const onlySignIn = "only a person's sign-in shows it";

/** Asks a provider for everything that can be asked without a person. */
export async function checkProvider(client: CheckedClient, ask: AskProvider, skip: Skip): Promise<void> {
  const { issuer, audience, who, claims } = client;
  const call = { url: `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration` };
  const discovered = await ask(call, who);
  const isFound = discovered && expectJson(discovered);
  const metadata = isFound && checkMetadata(discovered.json, issuer, audience, discovered.differs);
  if (discovered) checkClock(discovered);
  if (!metadata) return skip("everything else", "nothing can be asked without the provider's metadata");
  await checkKeys(metadata, who, ask);
  await checkAuthorization(client, metadata, ask, skip);
  await checkToken(client, metadata, ask);
  if (audience === "customers") await checkLogout(client, metadata, ask);
  const listed = discovered.json.claims_supported;
  for (const claim of claims) {
    const isListed = Array.isArray(listed) && listed.includes(claim);
    skip(`claim ${claim} of ${who}`, isListed ? onlySignIn : `the provider doesn't list it: ${onlySignIn}`);
  }
  if (audience === "customers") {
    skip("rotation of refresh tokens", onlySignIn);
    skip(
      "back-channel logout reaches /login/backchannel-logout",
      "only the logout of a person at the provider shows it",
    );
  }
}

/** Whether an answer is JSON with status 200. */
function expectJson({ status, headers, json, differs }: ProviderAnswer): boolean {
  if (status !== 200) differs("status", "must be 200", String(status));
  else if (Object.keys(json).length === 0)
    differs("body", "must be a JSON object", headers["content-type"] ?? "no type");
  return status === 200 && Object.keys(json).length > 0;
}

function checkClock({ headers, differs }: ProviderAnswer): void {
  const sent = Date.parse(headers.date ?? "") + Number(headers.age ?? 0) * second;
  const ahead = Math.round((sent - Date.now()) / second);
  if (Math.abs(ahead) <= clockTolerance) return;
  const found = Number.isNaN(ahead) ? "missing" : `${Math.abs(ahead)} s ${ahead > 0 ? "ahead" : "behind"}`;
  differs("Date", `must be within ${clockTolerance} s of this machine's clock`, found);
}

async function checkKeys({ jwks_uri: url, algorithms }: Metadata, who: string, ask: AskProvider): Promise<void> {
  const answer = await ask({ url }, who);
  if (!answer || !expectJson(answer)) return;
  const keys: unknown[] = Array.isArray(answer.json.keys) ? answer.json.keys : [];
  const isUsable = (key: unknown) => {
    const { kty, use, alg } = Object(key);
    return use !== "enc" && algorithms.some((name) => keyTypes[name] === kty && (alg === undefined || alg === name));
  };
  if (!keys.some(isUsable))
    answer.differs("/keys", `must contain a key for ${algorithms.join(" or ")}`, describe(keys));
}

/**
 * Asks for a sign-in without a person: a provider that accepts the rest leads back at once, and says that nobody has
 * signed in.
 */
async function checkAuthorization(
  client: CheckedClient,
  metadata: Metadata,
  ask: AskProvider,
  skip: Skip,
): Promise<void> {
  const { who, callbacks, clientId } = client;
  for (const callback of callbacks) {
    const answer = await askAuthorization(clientId, callback, who);
    if (!answer) return;
    const { status, differs } = answer;
    const led = leadsTo(answer, callback);
    if (led) {
      const [error, code] = [led.get("error"), led.get("code")];
      if (code === null && !nobodySignedIn.includes(error ?? ""))
        differs("error", "must be login_required", describe(error));
      if (led.get("state") !== "check") differs("state", "must be that of the request", describe(led.get("state")));
    } else if (status >= 400) {
      differs("status", `must lead back to ${callback}, as registered for the client`, String(status));
    } else skip(`${callback} of ${who}`, `the provider ignores prompt=none: ${onlySignIn}`);
  }
  const [callback = ""] = callbacks;
  for (const [wrong, expected] of [
    ["https://check-upstream.invalid/callback", "must not be an address that isn't registered"],
    [`${callback}-of-another`, "must not be an address that only begins like the registered one"],
  ] as const) {
    const answer = await askAuthorization(clientId, wrong, `${who}, an unknown address`);
    if (answer && leadsTo(answer, wrong)) answer.differs("Location", expected, wrong);
  }
  const stranger = await askAuthorization("check-upstream-unknown", callback, `${who}, an unknown client`);
  const led = stranger && leadsTo(stranger, callback);
  if (led && (led.has("code") || nobodySignedIn.includes(led.get("error") ?? "")))
    stranger.differs("client_id", "must be refused if it is unknown", "accepted");

  function askAuthorization(id: string, callback: string, what: string) {
    const url = new URL(metadata.authorization_endpoint);
    const parameters = {
      response_type: "code",
      client_id: id,
      redirect_uri: callback,
      scope: "openid email profile",
      state: "check",
      nonce: "check",
      prompt: "none",
      code_challenge: challengeOf(verifier),
      code_challenge_method: "S256",
      ...(client.acr === undefined ? {} : { acr_values: client.acr }),
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return ask({ url: url.href }, what);
  }
}

const verifier = randomBytes(32).toString("base64url");
const challengeOf = (text: string) => createHash("sha256").update(text).digest("base64url");

/** Returns the parameters with which an answer leads to an address; undefined if it doesn't lead there. */
function leadsTo({ headers: { location } }: ProviderAnswer, address: string): URLSearchParams | undefined {
  const led = location === undefined ? null : URL.parse(location);
  return led && led.origin + led.pathname === address ? led.searchParams : undefined;
}

/** Sends a code and a refresh token that the provider has never issued, with a right secret and a wrong one. */
async function checkToken(client: CheckedClient, metadata: Metadata, ask: AskProvider): Promise<void> {
  const { clientId: id, clientSecret: value, secretVariable: variable, who, audience } = client;
  const by = metadata.authentication;
  const invented = randomBytes(16).toString("hex");
  const code = {
    grant_type: "authorization_code",
    code: invented,
    redirect_uri: client.callbacks[0] ?? "",
    code_verifier: verifier,
  };
  const right = { by, id, value, variable };
  await expectError({ form: code, secret: right }, `${who}, an invented code`, "invalid_grant");
  if (audience === "customers") {
    const refresh = { grant_type: "refresh_token", refresh_token: invented };
    await expectError({ form: refresh, secret: right }, `${who}, an invented refresh token`, "invalid_grant");
  }
  const wrong = { ...right, value: invented, variable: "WRONG_SECRET" };
  await expectError({ form: code, secret: wrong }, `${who}, a wrong secret`, "invalid_client");

  async function expectError(call: Omit<ProviderCall, "url">, what: string, expected: string): Promise<void> {
    const answer = await ask({ url: metadata.token_endpoint, ...call }, what);
    if (!answer) return;
    const { status, json, differs } = answer;
    const found = typeof json.error === "string" ? describe(json.error) : `status ${status}`;
    if (json.error !== expected) differs(`/error`, `must be ${expected} for ${what.slice(who.length + 2)}`, found);
  }
}

/** Asks for the end of a session that doesn't exist. */
async function checkLogout(
  { who, clientId, afterLogout }: CheckedClient,
  metadata: Metadata,
  ask: AskProvider,
): Promise<void> {
  if (metadata.end_session_endpoint === undefined) return;
  for (const address of afterLogout) {
    const url = new URL(metadata.end_session_endpoint);
    url.searchParams.set("client_id", clientId);
    url.searchParams.set("post_logout_redirect_uri", address);
    const answer = await ask({ url: url.href }, who);
    if (answer && answer.status >= 400)
      answer.differs("status", `must be below 400: does the client know ${address}?`, String(answer.status));
  }
}
