import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair } from "jose";
import {
  type Account,
  type ClientMetadata,
  type Configuration,
  type InteractionResults,
  Provider,
} from "oidc-provider";
import { createMemoryAdapter } from "oidc-provider/lib/adapters/memory_adapter.js";
import { parseForm } from "./parse-form.ts";

/** The people who can sign in at the provider, by typing their address. Nobody needs a password. */
export interface Person {
  email: string;
  emailVerified?: boolean;
  givenName?: string;
  familyName?: string;
  groups?: readonly string[];
  /** How the provider says that the person signed in, such as with a second factor. */
  acr?: string;
  amr?: string[];
}

export interface ProviderClient {
  id: string;
  secret: string;
  /** Where the provider leads back to: `/login/callback` and the like of each site. */
  callbacks: string[];
  /** Where the provider leads after a logout. */
  afterLogout?: string[];
  /** What the provider calls when a person's session there ends. `*.localhost` has no address outside browsers. */
  backchannelLogout?: string;
}

export interface IdentityProvider {
  issuer: string;
  /** Who can sign in, by address. A person who was removed can't renew either. */
  people: Map<string, Person>;
  /** The requests so far, such as `POST /token`. */
  requests: string[];
  /** Ends the sessions of a person at a client by the back channel, or one of them. */
  endByBackchannel(client: string, email: string, sid?: string): Promise<void>;
  /** Refuses connections, until `start`. Sessions, codes and tokens stay. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

interface ProviderOptions {
  clients: readonly ProviderClient[];
  people: readonly Person[];
  /** What replaces the configuration, such as features that are missing. */
  configuration?: Configuration;
}

interface BackchannelClient {
  backchannelLogout(sub: string, sid?: string): Promise<void>;
}

/** In seconds. */
const [short, long] = [60, 86_400];
const lifetimes = {
  AccessToken: short,
  AuthorizationCode: short,
  IdToken: short,
  Interaction: long,
  Grant: long,
  RefreshToken: long,
  Session: long,
};

/** Starts a certified OpenID provider, until `stop`. Its pages need no script. */
export async function startIdentityProvider(options: ProviderOptions): Promise<IdentityProvider> {
  const people = new Map(options.people.map((person) => [person.email, person]));
  const requests: string[] = [];
  let server = await listen(0);
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  const provider = await createProvider(issuer, options, (email) => people.get(email));
  const callback = provider.callback();
  server.on("request", answer);
  return {
    issuer,
    people,
    requests,
    async endByBackchannel(id, email, sid) {
      const client = await provider.Client.find(id);
      // Its types have no methods of clients.
      await (client as BackchannelClient | undefined)?.backchannelLogout(email, sid);
    },
    stop,
    async start() {
      server = await listen(port);
      server.on("request", answer);
    },
  };

  async function stop(): Promise<void> {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const { pathname } = new URL(request.url ?? "/", issuer);
    requests.push(`${request.method} ${pathname}`);
    if (pathname.startsWith("/interaction/")) void interact(request, response);
    else callback(request, response);
  }

  /** Shows the login form, takes its answer, and consents at once. */
  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { prompt, params, session } = await provider.interactionDetails(request, response);
    const settle = (result: InteractionResults) =>
      provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
    if (prompt.name === "consent") {
      const grant = await grantAll(provider, String(params.client_id), session?.accountId ?? "");
      return settle({ consent: { grantId: grant } });
    }
    const { email = "", cancel } = request.method === "POST" ? await parseForm(request) : {};
    if (cancel !== undefined) return settle({ error: "access_denied" });
    const person = people.get(email);
    if (person) return settle({ login: { accountId: email, acr: person.acr, amr: person.amr } });
    response.setHeader("Content-Type", "text/html; charset=utf-8").end(loginPage(String(params.login_hint ?? "")));
  }
}

async function listen(port: number): Promise<Server> {
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  return server;
}

async function createProvider(
  issuer: string,
  { clients, configuration }: ProviderOptions,
  find: (email: string) => Person | undefined,
): Promise<Provider> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  return new Provider(issuer, {
    adapter: createMemoryAdapter(0),
    clients: clients.map(toClient),
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: "of-this-start", use: "sig", alg: "RS256" }] },
    cookies: { keys: ["of the tests"] },
    scopes: ["openid", "offline_access", "email", "profile"],
    claims: {
      openid: ["sub", "sid", "groups", "acr", "amr"],
      email: ["email", "email_verified"],
      profile: ["given_name", "family_name"],
    },
    // As Keycloak does, the ID token has the claims of the scopes.
    conformIdTokenClaims: false,
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      revocation: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => void Object.assign(ctx, { body: logoutPage(form) }),
      },
    },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, email) => toAccount(find(email)),
    loadExistingGrant: async ({ oidc }) => {
      const { client, session, result } = oidc;
      const id = result?.consent?.grantId ?? (client && session?.grantIdFor(client.clientId));
      return id ? oidc.provider.Grant.find(id) : undefined;
    },
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed("refresh_token"),
    rotateRefreshToken: true,
    // The default refuses this machine's own address.
    fetch: (url, init) => fetch(url, { ...init, dispatcher: undefined } as RequestInit),
    ttl: { ...lifetimes },
    ...configuration,
  });
}

function toClient({ id, secret, callbacks, afterLogout, backchannelLogout }: ProviderClient): ClientMetadata {
  return {
    client_id: id,
    client_secret: secret,
    redirect_uris: callbacks,
    post_logout_redirect_uris: afterLogout ?? [],
    grant_types: ["authorization_code", "refresh_token"],
    ...(backchannelLogout && { backchannel_logout_uri: backchannelLogout, backchannel_logout_session_required: true }),
  };
}

function toAccount(person: Person | undefined): Account | undefined {
  if (!person) return undefined;
  const { email, emailVerified = true, givenName, familyName, groups } = person;
  const names = { given_name: givenName, family_name: familyName };
  return {
    accountId: email,
    claims: () => ({ sub: email, email, email_verified: emailVerified, ...names, groups }),
  };
}

async function grantAll(provider: Provider, clientId: string, accountId: string): Promise<string> {
  const grant = new provider.Grant({ clientId, accountId });
  grant.addOIDCScope("openid offline_access email profile");
  return grant.save();
}

function loginPage(hint: string): string {
  return page(`<h1>Sign in at the provider</h1>
<form method="post">
<label>Email <input name="email" type="email" value="${hint.replaceAll(/[&<"]/g, "")}"></label>
<button>Sign in</button>
<button name="cancel" value="1" formnovalidate>Cancel</button>
</form>`);
}

function logoutPage(form: string): string {
  return page(`<h1>Sign out at the provider</h1>
${form}
<button form="op.logoutForm" name="logout" value="yes">Sign out</button>`);
}

function page(content: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Provider</title>${content}</html>`;
}
