import { type Request, type Response, Router } from "express";
import { LoginForm } from "../../../client/features/login/LoginForm.tsx";
import type { PageLink } from "../../../client/pages/Page.tsx";
import { LoginPage } from "../../../client/pages/ShopPage.tsx";
import {
  formTexts,
  formWidgetTexts,
  type LoginAnswer,
  type LoginProblem,
  type LoginProps,
  loginFields,
} from "../../../client/rules/login-form.ts";
import { isSignedIn } from "../../../client/rules/login-token.ts";
import { redirectCookie, safeRedirect } from "../../../client/rules/safe-redirect.ts";
import { hour } from "../../../client/rules/time.ts";
import { waitingTime } from "../../../client/rules/waiting-time.ts";
import type { LoginRequest } from "../../../schemas/types.ts";
import { allowMethods } from "../../http/allow-methods.ts";
import { clearBrowserCache } from "../../http/cache-control.ts";
import { requireSameOrigin } from "../../http/csrf.ts";
import { createBodyReader, formBody } from "../../http/request-input.ts";
import { refuseAhead } from "../../http/single-visit.ts";
import { type Failed, RequestError } from "../../platform/errors.ts";
import { pickTexts } from "../../platform/texts.ts";
import { setFailureStatus, settleForm } from "../../rendering/error-pages.ts";
import type { PageRenderer } from "../../rendering/page-renderer.tsx";
import { renderIsland } from "../../rendering/render-element.ts";
import type { Site } from "../../sites/countries.ts";
import type { AppContext } from "../feature.ts";
import { createProviderPages } from "./callback-routes.tsx";
import { addressOf, leaveLogin, redirectCookieOptions, storedTarget } from "./redirects.ts";
import { type LoginOf, type LoginRefusal, removeClock, removeLoginCookies } from "./service.ts";

/** Paths of the login page on large and on small screens. */
export const loginPaths = ["/login", "/m/login"] as const;
/** Lifetime of the cookie with the redirect target after login. */
const redirectAge = hour;
const readLogin = createBodyReader<LoginRequest>("login");

/** Answers the login page, its form without script, and the logout form in the header. */
export function loginPageRoutes(context: AppContext, loginOf: LoginOf, pages: PageRenderer): Router {
  const { logger, siteOf, texts } = context;
  const provider = createProviderPages(context, loginOf, pages);
  const router = Router().use(provider.routes);
  const onlyRead = allowMethods(["GET", "HEAD"]);

  router.get([...loginPaths], async (request, response) => {
    const site = siteOf.form(request);
    const login = loginOf(siteOf.host(request));
    const { redirect } = request.query;
    const asked = safeRedirect(redirect, addressOf(request, site));
    if (isSignedIn(request.cookies.LoginToken)) {
      refuseAhead(request);
      const target = redirect === undefined ? storedTarget(request, site) : asked;
      if (await login.findSession(request)) return leaveLogin(response, target);
      const call = login.resumeSession(request);
      const resumed = await settleForm(call, logger, "the login service could not continue a session");
      if (Array.isArray(resumed)) return leaveLogin(response.append("Set-Cookie", resumed), target);
      // With the clock of an ended session, the script would take the visitor for signed in and redirect.
      response.append("Set-Cookie", resumed ? [removeClock(request)] : removeLoginCookies(request));
    }
    if (asked !== "/") {
      response.cookie(redirectCookie, asked, { ...redirectCookieOptions, maxAge: redirectAge, secure: request.secure });
    }
    if (!("begin" in login)) return sendPage(request, response, site);
    refuseAhead(request);
    await provider.begin(request, response, login);
  });

  router.post(
    [...loginPaths],
    (request, response, next) =>
      "begin" in loginOf(siteOf.host(request)) ? onlyRead(request, response, next) : next(),
    requireSameOrigin(),
    formBody(),
    async (request: Request, response) => {
      const site = siteOf.form(request);
      const { site: _site, ...fields } = { ...request.body };
      const missing = loginFields.filter((field) => (fields[field] ?? "") === "");
      if (missing.length > 0) {
        setFailureStatus(response, { status: "invalid" });
        return sendPage(request, response, site, {
          ...shownAgain(fields),
          problem: { kind: "missing", fields: missing },
        });
      }
      const entered = readLogin({ ...fields, stayLoggedIn: fields.stayLoggedIn !== undefined });
      const login = loginOf(siteOf.host(request));
      if (!("login" in login)) throw new RequestError("wrongMethod", "customers of this site sign in at its provider");
      const call = login.login(entered, request);
      const result = await settleForm(call, logger, "the login service could not check a login");
      if (result.status !== "success") {
        setFailureStatus(response, result);
        return sendPage(request, response, site, { ...shownAgain(fields), problem: problemOf(result, site.locale) });
      }
      response.setHeader("Set-Cookie", result.cookies);
      leaveLogin(response, storedTarget(request, site));
    },
  );

  router.post("/logout", requireSameOrigin(), async (request, response) => {
    const site = siteOf.host(request);
    const login = loginOf(site);
    const { cookies, url = "/" } =
      "leave" in login ? await login.leave(site, request) : { cookies: await login.logout(request) };
    response.setHeader("Set-Cookie", cookies);
    clearBrowserCache(response);
    response.redirect(303, url);
  });
  return router;

  /** Sends the login page. Without an answer to a form it is the same for all visitors, and is cached. */
  async function sendPage(request: Request, response: Response, site: Site, answer?: LoginAnswer): Promise<void> {
    const { key, footerKey, props } = await pages.shopFrame(request, site, { styles: ["login.css"] });
    // The answer is shown on the page that the visitor has opened.
    const action = loginPaths.find((path) => path === request.path) ?? loginPaths[0];
    const page = () => <LoginPage {...props()} {...contentFor(site, action, answer)} />;
    if (answer || key === undefined) return pages.send(response, page());
    const head = `${action} ${key}`;
    await pages.sendCached(response, head, page, async () => {
      const tag = await footerKey();
      return tag && `${head} ${tag}`;
    });
  }

  function contentFor(site: Site, action: string, answer?: LoginAnswer) {
    const text = texts.translator(site.locale, "login");
    const word = texts.translator(site.locale, "widgets");
    const props: LoginProps = {
      action,
      site: site.site,
      locale: site.locale,
      links: site.login,
      texts: pickTexts(formTexts, text),
      widgetTexts: pickTexts(formWidgetTexts, word),
      ...(answer && { answer }),
    };
    const title = text("title");
    return {
      title: answer ? `${word("notification.error")}: ${title}` : title,
      description: text("intro"),
      links: linksOf(site),
      form: () =>
        renderIsland({
          name: "login",
          component: LoginForm,
          props,
          prefix: `login-${site.site}`,
          actsFor: "everybody",
        }),
    };
  }
}

/** Returns the values that the form shows again, without the password. */
function shownAgain({ email, stayLoggedIn }: Record<string, unknown>): Omit<LoginAnswer, "problem"> {
  return { email: typeof email === "string" ? email : "", stayLoggedIn: stayLoggedIn !== undefined };
}

/** Returns the form's message for a failed login. */
function problemOf(result: LoginRefusal | Failed<"unavailable">, locale: string): LoginProblem {
  if (result.status !== "rateLimited") return { kind: result.status };
  return { kind: "throttled", wait: waitingTime(result.retryAfter, locale) };
}

/** Lists the alternate URLs of the page. Deep links are `<system>-app://<id>/<protocol>/<host and path>`. */
function linksOf({ origin, apps = {} }: Site): PageLink[] {
  const { protocol, host } = new URL(origin);
  const inApp = `${protocol.replace(":", "")}/${host}/login`;
  return [
    { rel: "canonical", href: `${origin}/login` },
    { rel: "alternate", href: `${origin}/m/login`, media: "only screen and (max-width: 767px)" },
    ...Object.entries(apps).map(
      ([system, id]): PageLink => ({ rel: "alternate", href: `${system}-app://${id}/${inApp}` }),
    ),
  ];
}
