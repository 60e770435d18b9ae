import type { Router } from "express";
import { isSignedIn } from "../../../client/rules/login-token.ts";
import { isReported } from "../../platform/errors.ts";
import type { SessionOf } from "../../rendering/visitor.ts";
import type { AppContext, Feature } from "../feature.ts";
import { createLogin as createEmbeddedLogin } from "./embedded/login-service.ts";
import { loginRoutes } from "./embedded/routes.ts";
import { loginPageRoutes, loginPaths } from "./login-pages.tsx";
import { type LoginService, loginCookieNames, ownLoginCookies } from "./service.ts";
import { createLoginUpstream } from "./upstream.ts";

interface Login extends Feature {
  sessions: LoginService;
  sessionOf: SessionOf;
  /** The paths of its pages, which ask for a password. */
  paths: readonly string[];
}

/** The login of customers: its page, and the service that keeps the sessions. */
export async function createLogin(context: AppContext): Promise<Login> {
  const { logger, upstreams } = context;
  const { login, routes } = upstreams.login
    ? { login: createLoginUpstream(upstreams.login), routes: [] }
    : await openEmbedded(context);
  return {
    service: {
      name: "login",
      paths: [
        { path: "/service/login/api/v1/login" },
        { path: "/service/login/api/v1/logintoken/renew", has500: true },
        { path: "/service/login" },
      ],
      allowed: { cookies: loginCookieNames },
      ownCookies: ownLoginCookies,
      upstream: upstreams.login,
      routes,
    },
    paths: loginPaths,
    sessions: login,
    pages: (pages) => [loginPageRoutes(context, login, pages)],

    /** Finds whom pages greet. A failure is logged, and nobody is greeted. */
    async sessionOf(request) {
      if (!isSignedIn(request.cookies.LoginToken)) return undefined;
      try {
        return await login.findSession(request);
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
