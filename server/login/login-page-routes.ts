import express, { type Request, type Response, Router } from "express";
import { type LoginAnswer, loginFields } from "../../client/login/login-props.ts";
import { isSignedIn } from "../../client/rules/is-signed-in.ts";
import { redirectCookie, safeRedirect } from "../../client/rules/safe-redirect.ts";
import { hour } from "../../client/rules/time.ts";
import { waitingTime } from "../../client/rules/waiting-time.ts";
import type { LoginRequest } from "../../schemas/types.ts";
import type { Assets } from "../assets.ts";
import { createBodyReader } from "../http/body-reader.ts";
import { requireSameOrigin } from "../http/require-same-origin.ts";
import type { Texts } from "../i18n.ts";
import type { Logger } from "../logger.ts";
import { outcomeOf } from "../pages/form-outcome.ts";
import { failWith } from "../pages/page-answers.ts";
import type { PageRenderer } from "../pages/page-renderer.tsx";
import type { Identify } from "../services/customer-service.ts";
import type { Failed } from "../services/failed.ts";
import { loginCallerOf } from "../services/login-cookies.ts";
import type { LoginService } from "../services/login-service.ts";
import type { SignInResult } from "../services/sign-in-result.ts";
import type { Site } from "../sites/countries.ts";
import type { SiteResolver } from "../sites/resolve-site.ts";
import { createLoginPage } from "./login-page.tsx";

interface LoginPageDeps {
  assets: Assets;
  identify: Identify;
  logger: Logger;
  login: LoginService;
  pages: PageRenderer;
  siteOf: SiteResolver;
  texts: Texts;
}

/** The paths of the login page, for large screens and for small ones. */
export const loginPaths = ["/login", "/m/login"];
const cookieOptions = { path: "/", sameSite: "lax" } as const;
/** How long the browser keeps where to go after login. */
const redirectAge = hour;
const readLogin = createBodyReader<LoginRequest>("login");

/** Answers the login page, and its form as it is sent without script. */
export function loginPageRoutes({ identify, logger, login, siteOf, ...deps }: LoginPageDeps): Router {
  const loginPage = createLoginPage(deps);
  const router = Router();

  router.get(loginPaths, async (request, response) => {
    const site = siteOf.form(request);
    const { redirect } = request.query;
    const asked = safeRedirect(redirect, addressOf(request, site));
    if (isSignedIn(request.cookies.LoginToken)) {
      if (await identify(request)) return leave(response, redirect === undefined ? storedTarget(request, site) : asked);
      // The script would take the visitor for signed in, and send them on: test/browser/login.test.ts
      for (const cookie of await login.removeEnded(loginCallerOf(request))) response.append("Set-Cookie", cookie);
    }
    if (asked !== "/") {
      response.cookie(redirectCookie, asked, { ...cookieOptions, maxAge: redirectAge, secure: request.secure });
    }
    await loginPage(request, response, site);
  });

  router.post(
    "/login",
    requireSameOrigin(),
    express.urlencoded({ extended: false, limit: "2kb", parameterLimit: 20 }),
    async (request: Request, response) => {
      const site = siteOf.form(request);
      const { site: _site, ...fields } = { ...request.body };
      const missing = loginFields.filter((field) => (fields[field] ?? "") === "");
      if (missing.length > 0) {
        const problem = { kind: "missing", fields: missing } as const;
        return loginPage(request, failWith(response, { status: "invalid" }), site, { ...valuesOf(fields), problem });
      }
      const entered = readLogin({ ...fields, stayLoggedIn: fields.stayLoggedIn !== undefined });
      const result = await outcomeOf(
        login.login(entered, loginCallerOf(request)),
        logger,
        "the login service could not check a login",
      );
      if (result.status !== "success") {
        const problem = problemOf(result, site.locale);
        return loginPage(request, failWith(response, result), site, { ...valuesOf(fields), problem });
      }
      response.setHeader("Set-Cookie", result.cookies);
      leave(response, storedTarget(request, site));
    },
  );
  return router;
}

/** Gives what the form says when nobody was signed in. */
function problemOf(
  result: Exclude<SignInResult, { status: "success" }> | Failed<"unavailable">,
  locale: string,
): LoginAnswer["problem"] {
  if (result.status !== "rateLimited") return { kind: result.status };
  return { kind: "throttled", wait: waitingTime(result.retryAfter, locale) };
}

function storedTarget(request: Request, site: Site): string {
  return safeRedirect(request.cookies[redirectCookie], addressOf(request, site));
}

function addressOf({ originalUrl }: Request, { origin }: Site): URL {
  return URL.parse(originalUrl, origin) ?? new URL(origin);
}

function leave(response: Response, target: string) {
  response.clearCookie(redirectCookie, cookieOptions);
  response.redirect(303, target);
}

/** Picks what the form shows again: all but the password. */
function valuesOf({ email, stayLoggedIn }: Record<string, unknown>): Omit<LoginAnswer, "problem"> {
  return { email: typeof email === "string" ? email : "", stayLoggedIn: stayLoggedIn !== undefined };
}
