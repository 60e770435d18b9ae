import type { Router } from "express";
import { isSignedIn } from "../../../client/rules/login-token.ts";
import { isReported } from "../../platform/errors.ts";
import type { SessionOf } from "../../rendering/visitor.ts";
import { openServices } from "../../upstream/site-upstreams.ts";
import type { AppContext, Feature } from "../feature.ts";
import { createEmbeddedLogin } from "./embedded/login-service.ts";
import { loginRoutes } from "./embedded/routes.ts";
import { loginPageRoutes, loginPaths } from "./login-pages.tsx";
import { type LoginOf, type LoginService, loginCookieNames, ownLoginCookies } from "./service.ts";
import { createLoginUpstream } from "./upstream.ts";

interface Login extends Feature {
  /** Returns the login service of a site. */
  loginOf: LoginOf;
  sessionOf: SessionOf;
  /** The paths of its pages, which ask for a password. */
  paths: readonly string[];
}

/** The login of customers: its page, and the service that manages the sessions. */
export async function createLogin(context: AppContext): Promise<Login> {
  const { logger, siteOf, upstreams } = context;
  const services = await openServices(upstreams.login, (real) =>
    real ? { login: createLoginUpstream(real, logger), routes: [] } : openEmbedded(context),
  );
  const loginOf: LoginOf = (site) => services.of(site).login;
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
      routes: services.all.flatMap(({ routes }) => routes),
    },
    paths: loginPaths,
    loginOf,
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
}

async function openEmbedded(context: AppContext): Promise<{ login: LoginService; routes: Router[] }> {
  const { db } = await context.openStore();
  const login = createEmbeddedLogin(context, db);
  return { login, routes: [loginRoutes(login)] };
}
