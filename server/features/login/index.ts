import type { Request } from "express";
import { isSignedIn } from "../../../client/rules/login-token.ts";
import type { IdentityProvider } from "../../config/identity-providers.ts";
import type { ProviderSessions } from "../../oidc/backchannel-logout.ts";
import { createProvider } from "../../oidc/provider.ts";
import { isReported, RequestError } from "../../platform/errors.ts";
import type { SessionOf } from "../../rendering/visitor.ts";
import { openServices, type SiteChoices } from "../../upstream/site-upstreams.ts";
import type { Upstream } from "../../upstream/upstream.ts";
import type { AppContext, Feature } from "../feature.ts";
import { createEmbeddedLogin } from "./embedded/login-service.ts";
import { loginPageRoutes, loginPaths } from "./login-pages.tsx";
import { loginRoutes, type OwnLogin } from "./login-routes.ts";
import { knownClaims } from "./oidc/known-data.ts";
import { createProviderLogin } from "./oidc/provider-login.ts";
import { type LoginOf, loginCookieNames, ownLoginCookies, type PasswordLogin } from "./service.ts";
import { createLoginUpstream } from "./upstream.ts";

interface Login extends Feature {
  /** Returns the login service of a site. */
  loginOf: LoginOf;
  sessionOf: SessionOf;
  /** The sessions that began at identity providers. */
  providerSessions: readonly ProviderSessions[];
  /** The paths of its pages, which ask for a password. */
  paths: readonly string[];
}

/** An OpenID provider, and the codes of the sites whose customers sign in there. */
interface SharedProvider {
  settings: IdentityProvider;
  sites: readonly string[];
}

/** The login of customers: its page, and the service that manages the sessions. */
export async function createLogin(context: AppContext): Promise<Login> {
  const { logger, siteOf, upstreams } = context;
  const services = await openServices(chooseLogins(context), (choice) => openLogin(choice, context));
  const loginOf: LoginOf = (site) => services.of(site);
  const isOwn = (login: PasswordLogin | OwnLogin): login is OwnLogin => "renewSession" in login;
  return {
    service: {
      name: "login",
      paths: [
        { path: "/service/login/api/v1/login" },
        { path: "/service/login/api/v1/logintoken/renew", has500: true },
        { path: "/service/login" },
      ],
      allowed: { cookies: loginCookieNames, setsCookies: ownLoginCookies },
      upstreams: upstreams.login,
      routes: services.all.some(isOwn) ? [loginRoutes(ownLoginOf, logger)] : [],
    },
    paths: loginPaths,
    loginOf,
    providerSessions: services.all.flatMap((login) => ("sessions" in login ? login.sessions : [])),
    pages: (pages) => [loginPageRoutes(context, loginOf, pages)],

    /** Finds the customer whom pages greet. After a failure, which is logged, they greet nobody. */
    async sessionOf(request) {
      if (!isSignedIn(request.cookies.LoginToken)) return undefined;
      try {
        return await loginOf(siteOf.host(request)).findSession(request);
      } catch (error) {
        if (!isReported(error)) logger.warn({ err: error }, "session lookup failed");
        return undefined;
      }
    },
  };

  /** Sessions belong to a host, as their cookies do, whichever site a call names. */
  function ownLoginOf(request: Request): OwnLogin {
    const login = services.of(siteOf.host(request));
    if (!isOwn(login)) throw new RequestError("notFound", "no such service call");
    return login;
  }
}

/** Chooses the login of each site: a real service, an OpenID provider, or undefined for the embedded one. */
function chooseLogins({ countries, env, upstreams }: AppContext): SiteChoices<Upstream | SharedProvider | undefined> {
  const providers = new Map<string, SharedProvider>();
  for (const shared of Map.groupBy(env.identityProviders, ([, settings]) => JSON.stringify(settings)).values()) {
    const [[, settings] = []] = shared;
    const sites = shared.map(([site]) => site);
    const provider = settings && { settings, sites };
    if (provider) for (const site of sites) providers.set(site, provider);
  }
  const of: SiteChoices<Upstream | SharedProvider | undefined>["of"] = (site) =>
    providers.get(site.site) ?? upstreams.login.of(site);
  return { all: new Set(countries.sites.map(of)), of };
}

async function openLogin(
  choice: Upstream | SharedProvider | undefined,
  context: AppContext,
): Promise<PasswordLogin | OwnLogin> {
  if (choice && "url" in choice) return createLoginUpstream(choice, context.logger);
  const { db } = await context.openStore();
  if (!choice) return createEmbeddedLogin(context, db);
  const { settings, sites } = choice;
  const isForAll = sites.length === context.countries.sites.length;
  const options = { kind: "customer", claims: knownClaims, offline: true } as const;
  const provider = createProvider(settings, { ...options, sites: isForAll ? undefined : sites }, context, db);
  return createProviderLogin(context, provider, db);
}
