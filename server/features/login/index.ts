import { isSignedIn } from "../../../client/rules/login-token.ts";
import { isReported } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";
import type { SessionOf } from "../../rendering/visitor.ts";
import type { CustomerSessions, Identify } from "../customer/service.ts";
import type { AppContext, Feature } from "../feature.ts";
import { createLogin as createEmbeddedLogin } from "./embedded/login-service.ts";
import { loginRoutes } from "./embedded/routes.ts";
import { credentialsOf, loginCookieNames, ownLoginCookies } from "./login-cookies.ts";
import { loginPageRoutes } from "./login-pages.tsx";
import { createLoginUpstream } from "./upstream.ts";

export { loginPaths } from "./login-pages.tsx";

interface Login extends Feature, CustomerSessions {
  sessionOf: SessionOf;
}

/** The login of customers: its page, and the service that keeps the sessions. */
export async function createLogin(context: AppContext): Promise<Login> {
  const { logger, upstreams } = context;
  const service = {
    name: "login",
    paths: [{ path: "/service/login/api/v1/login", failsFrom: 500 }, { path: "/service/login" }],
    allowed: { cookies: loginCookieNames },
    ownCookies: ownLoginCookies,
    upstream: upstreams.login,
  };
  if (upstreams.login) {
    // Nothing here knows the customers of a real login service.
    const sessions = { identify: async () => undefined, findKnownEmail: async () => undefined };
    const login = createLoginUpstream(upstreams.login);
    return {
      ...sessions,
      service: { ...service, routes: [] },
      sessionOf: createSessionOf(undefined, logger),
      pages: (pages) => [loginPageRoutes(context, login, sessions.identify, pages)],
    };
  }
  const { db } = await context.openStore();
  const login = createEmbeddedLogin({ ...context, db, report: context.securityEvents() });
  const sessions: CustomerSessions = {
    identify: (request) => login.identify(credentialsOf(request)),
    findKnownEmail: (request) => login.findKnownEmail(credentialsOf(request)),
  };
  return {
    ...sessions,
    service: { ...service, routes: [loginRoutes(login)] },
    sessionOf: createSessionOf(sessions.identify, logger),
    pages: (pages) => [loginPageRoutes(context, login, sessions.identify, pages)],
  };
}

/**
 * Creates the lookup by which pages greet signed-in customers. A failure is logged, and nobody is greeted.
 * @param identify - undefined with a real login service, of whose sessions only the clock is known
 */
function createSessionOf(identify: Identify | undefined, logger: Logger): SessionOf {
  return async (request) => {
    if (!isSignedIn(request.cookies.LoginToken)) return undefined;
    if (!identify) return {};
    try {
      const customer = await identify(request);
      return customer && { customer };
    } catch (error) {
      if (!isReported(error)) logger.warn({ err: error }, "session lookup failed");
      return undefined;
    }
  };
}
