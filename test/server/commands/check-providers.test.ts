import type { RequestListener } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { checkProviders } from "../../../server/commands/check-upstream/identity-provider/check-providers.ts";
import { readEnv } from "../../../server/config/env.ts";
import type { Site } from "../../../server/sites/countries.ts";
import { type Person, type ProviderClient, startIdentityProvider } from "../../support/identity-provider.ts";
import { type MisbehavingProvider, startMisbehavingProvider } from "../../support/misbehaving-provider.ts";
import { parseForm } from "../../support/parse-form.ts";
import { runCommand } from "../../support/run-command.ts";
import { json, status } from "../../support/start-stub.ts";
import { siteOf, sites } from "../../support/test-app.ts";

const secret = "a-secret+of/the&shop";

const shop: ProviderClient = {
  id: "shop",
  secret,
  callbacks: sites.map(({ origin }) => `${origin}/login/callback`),
  afterLogout: sites.map(({ origin }) => `${origin}/`),
};
const preview: ProviderClient = {
  id: "preview",
  secret: `${secret} for staff`,
  callbacks: sites.map(({ origin }) => `${origin}/preview/callback`),
};

const ofCustomers = (issuer: string) => ({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: "shop", OIDC_CLIENT_SECRET: secret });
const ofStaff = (issuer: string) => ({
  OIDC_STAFF_ISSUER: issuer,
  OIDC_STAFF_CLIENT_ID: "preview",
  OIDC_STAFF_CLIENT_SECRET: preview.secret,
  OIDC_STAFF_GROUP: "groups=shop-staff",
  OIDC_STAFF_ACR: "mfa",
});

async function startProvider(clients = [shop, preview], people: Person[] = []): Promise<string> {
  const provider = await startIdentityProvider({ clients, people });
  onTestFinished(provider.stop);
  return provider.issuer;
}

/** Checks the provider of one site, and returns each deviation as a sentence. */
async function check(variables: Record<string, string>, checked: readonly Site[] = [siteOf("DE")]): Promise<string[]> {
  const report = await checkProviders(readEnv(variables), checked);
  return (report?.deviations ?? []).map(({ field, expected, found }) => `${field} ${expected}, found: ${found}`);
}

it("names nothing of a provider that is well, and says what only a sign-in shows", async () => {
  const issuer = await startProvider();
  const report = await checkProviders(readEnv({ ...ofCustomers(issuer), ...ofStaff(issuer) }), sites);
  expect(report).toMatchObject({ service: "oidc", url: issuer, deviations: [] });
  expect(Object.keys(report?.calls ?? {})).toEqual([
    `GET ${issuer}/.well-known/openid-configuration`,
    `GET ${issuer}/jwks`,
    `GET ${issuer}/auth`,
    `POST ${issuer}/token`,
    `GET ${issuer}/session/end`,
  ]);
  expect(report?.notChecked).toEqual([
    "claim email of customers (only a person's sign-in shows it)",
    "claim email_verified of customers (only a person's sign-in shows it)",
    "claim given_name of customers (only a person's sign-in shows it)",
    "claim family_name of customers (only a person's sign-in shows it)",
    "rotation of refresh tokens (only a person's sign-in shows it)",
    "back-channel logout reaches /login/backchannel-logout (only the logout of a person at the provider shows it)",
    "claim groups of staff (only a person's sign-in shows it)",
    "claim acr of staff (only a person's sign-in shows it)",
    "claim amr of staff (only a person's sign-in shows it)",
  ]);
});

/** Leads requests for a sign-in back with an error, if their address has this end. */
const leadBack =
  (error: string, end = ""): RequestListener =>
  (request, response) => {
    const { searchParams } = new URL(request.url ?? "", "http://127.0.0.1");
    const callback = searchParams.get("redirect_uri") ?? "";
    if (!callback.endsWith(end)) return status(400)(request, response);
    response.writeHead(303, { Location: `${callback}?state=${searchParams.get("state")}&error=${error}` }).end();
  };

const metadata = (name: string, value?: unknown) => (provider: MisbehavingProvider) => {
  provider.metadata = { [name]: value };
};
const answering = (path: string, listener: RequestListener) => (provider: MisbehavingProvider) =>
  void provider.answers.set(path, listener);

/** What a provider lacks, how it is planted, and the sentences that name it. */
const gaps: [what: string, plant: (provider: MisbehavingProvider) => void, named: string[]][] = [
  ["another issuer", metadata("issuer", "https://other.example"), ["/issuer must be {issuer}"]],
  [
    "no authorization endpoint",
    metadata("authorization_endpoint"),
    ["/authorization_endpoint must be an https address"],
  ],
  ["no keys", metadata("jwks_uri"), ["/jwks_uri must be an https address"]],
  ["no code flow", metadata("response_types_supported", ["id_token"]), ["/response_types_supported must contain code"]],
  ["no PKCE", metadata("code_challenge_methods_supported"), ["/code_challenge_methods_supported must contain S256"]],
  ["no address", metadata("scopes_supported", ["openid", "profile"]), ["/scopes_supported must contain email"]],
  [
    "no refresh tokens",
    (provider) => {
      provider.metadata = {
        grant_types_supported: ["authorization_code"],
        scopes_supported: ["openid", "email", "profile"],
      };
    },
    ["/grant_types_supported must contain refresh_token"],
  ],
  ["no logout", metadata("end_session_endpoint"), ["/end_session_endpoint must be an https address"]],
  ["no back channel", metadata("backchannel_logout_supported"), ["/backchannel_logout_supported must be true"]],
  [
    "a back channel that ends everything",
    metadata("backchannel_logout_session_supported", false),
    ["/backchannel_logout_session_supported must be true"],
  ],
  [
    "unsigned ID tokens",
    metadata("id_token_signing_alg_values_supported", ["none"]),
    ["/id_token_signing_alg_values_supported must contain RS256", "/keys must contain a key"],
  ],
  [
    "keys of another kind",
    answering("/jwks", json('{"keys":[{"kty":"oct","k":"c2VjcmV0"}]}')),
    ["/keys must contain a key"],
  ],
  ["a page in place of keys", answering("/jwks", json("<!doctype html>")), ["body must be a JSON object"]],
  ["keys that don't come", answering("/jwks", status(500)), ["status must be 200"]],
  ["no metadata", answering("/.well-known/openid-configuration", status(404)), ["status must be 200"]],
  [
    "a wrong clock",
    (provider) => {
      provider.headers = { Date: new Date(Date.now() + 90_000).toUTCString() };
    },
    ["Date must be within 30 s of this machine's clock"],
  ],
  [
    "an unknown client",
    answering("/auth", status(400)),
    ["status must lead back to http://de.localhost:3000/login/callback"],
  ],
  [
    "an unknown scope",
    answering("/auth", leadBack("invalid_scope", "localhost:3000/login/callback")),
    ["error must be login_required"],
  ],
  [
    "an answer to any address and any client",
    answering("/auth", leadBack("login_required")),
    [
      "Location must not be an address that isn't registered",
      "Location must not be an address that only begins like the registered one",
      "client_id must be refused if it is unknown",
    ],
  ],
  [
    "a client that may not renew",
    answering("/token", async (request, response) => {
      const { grant_type } = await parseForm(request);
      json(`{"error":"${grant_type === "refresh_token" ? "unauthorized_client" : "invalid_grant"}"}`, 400)(
        request,
        response,
      );
    }),
    ["/error must be invalid_grant for an invented refresh token", "/error must be invalid_client for a wrong secret"],
  ],
  [
    "another secret",
    answering("/token", json('{"error":"invalid_client"}', 401)),
    ["/error must be invalid_grant for an invented code", "/error must be invalid_grant for an invented refresh token"],
  ],
  [
    "any secret",
    answering("/token", json('{"error":"invalid_grant"}', 400)),
    ["/error must be invalid_client for a wrong secret"],
  ],
  ["an unknown address after a logout", answering("/logout", status(400)), ["status must be below 400"]],
];

describe("each gap is named, and nothing else is", () => {
  it.for(gaps)("%s", async ([, plant, named]) => {
    const { origin } = siteOf("DE");
    const provider = await startMisbehavingProvider({ id: "shop", secret, callbacks: [`${origin}/login/callback`] });
    // Leads to no page.
    provider.answers.set("/logout", status(200));
    plant(provider);
    const sentences = await check(ofCustomers(provider.issuer));
    expect(sentences).toEqual(named.map((part) => expect.stringContaining(part.replace("{issuer}", provider.issuer))));
  });
});

it("names the sites whose addresses the provider doesn't know", async () => {
  const [known = ""] = shop.callbacks;
  const issuer = await startProvider([{ ...shop, callbacks: [known] }]);
  const sentences = await check(ofCustomers(issuer), sites);
  const unknown = shop.callbacks.filter((callback) => callback !== known);
  expect(sentences).toEqual(
    unknown.map((callback) => `status must lead back to ${callback}, as registered for the client, found: 400`),
  );
});

describe("the command", () => {
  const run = (variables: Record<string, string>, ...words: string[]) =>
    runCommand(variables, "check-upstream", "oidc", ...words);

  it("checks the providers of the environment", async () => {
    const variables = ofCustomers(await startProvider());
    const [asText, asJson] = [await run(variables), await run(variables, "--json")];
    expect([asText.code, asText.stderr]).toEqual([0, ""]);
    expect(asText.stdout).toMatch(/^ok +POST http:.*\/token$/m);
    expect(asText.stdout).toMatch(/^calls: \d+, deviations: 0; not checked: .*only a person's sign-in shows it/m);
    expect(JSON.parse(asJson.stdout)).toMatchObject({ service: "oidc", url: variables.OIDC_ISSUER, deviations: [] });
  });

  it("shows a gap by a line for a shell, and never the secret", async () => {
    const variables = { ...ofCustomers(await startProvider()), OIDC_CLIENT_SECRET: "another-secret" };
    const { code, stdout, stderr } = await run(variables);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^calls: \d+, deviations: 2; not checked: /)]);
    expect(stdout).toMatch(/^WRONG POST http:.*\/token$/m);
    expect(stdout).toContain(`/error must be invalid_grant for an invented code, found: "invalid_client"`);
    expect(stdout).toMatch(/^ {4}curl .*--user 'shop:'"\$OIDC_CLIENT_SECRET"$/m);
    expect(stdout).not.toContain("another-secret");
  });

  it.each([
    ["an address", [ofCustomers("https://login.example"), "https://login.example"]],
    ["no provider", [{}]],
  ] as const)("gets exit code 2 with %s", async (_what, [variables, ...words]) => {
    expect(await run(variables, ...words)).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(/^error: .*OIDC_ISSUER/),
    });
  });
});
