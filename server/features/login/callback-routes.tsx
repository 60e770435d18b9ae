import { type Request, type Response, Router } from "express";
import { MessagePage } from "../../../client/pages/ShopPage.tsx";
import { hideQueryFromReferer } from "../../http/security-headers.ts";
import { singleVisit } from "../../http/single-visit.ts";
import { setFailureStatus, settleForm } from "../../rendering/error-pages.ts";
import type { PageRenderer } from "../../rendering/page-renderer.tsx";
import type { AppContext } from "../feature.ts";
import { callbackPath, leaveLogin, storedTarget } from "./redirects.ts";
import type { CallbackResult, LoginOf, ProviderLogin } from "./service.ts";

type Failure = Exclude<CallbackResult["status"], "success">;

/** The statuses of the failures that have others than forms do. */
const statuses = {
  lost: "badRequest",
  invalid: "badRequest",
  wrongClock: "badRequest",
  refused: "forbidden",
  rateLimited: "rateLimited",
  unavailable: "unavailable",
} as const satisfies Record<Failure, string>;

/** Creates what customers see of a sign-in at an identity provider: a way there, and a page if it fails. */
export function createProviderPages({ logger, siteOf, texts }: AppContext, loginOf: LoginOf, pages: PageRenderer) {
  const router = Router();

  router.get(callbackPath, hideQueryFromReferer, singleVisit, async (request, response, next) => {
    const site = siteOf.host(request);
    const login = loginOf(site);
    if (!("complete" in login)) return next();
    const answer = new URL(request.originalUrl, site.origin);
    const call = login.complete(answer, request);
    const result = await settleForm(call, logger, "a sign-in could not be completed");
    if ("cookies" in result) response.setHeader("Set-Cookie", result.cookies);
    if (result.status === "success") return leaveLogin(response, storedTarget(request, site));
    await sendFailure(request, response, result);
  });

  return { routes: router, begin };

  /** Leads to the provider. */
  async function begin(request: Request, response: Response, login: ProviderLogin): Promise<void> {
    const call = login.begin(siteOf.host(request), request);
    const result = await settleForm(call, logger, "the identity provider could not be reached");
    if ("status" in result) return sendFailure(request, response, result);
    response.append("Set-Cookie", result.cookies);
    response.redirect(303, result.url);
  }

  /** Sends a page with the reason of a failure, and one way on. */
  async function sendFailure(
    request: Request,
    response: Response,
    { status, ...failure }: { status: Failure; retryAfter?: number },
  ): Promise<void> {
    const site = siteOf.host(request);
    const page = pages.translator(site);
    const find = (key: string) => texts.find(site.locale, "sign-in", key);
    const login = texts.translator(site.locale, "login");
    const isTemporary = status === "unavailable" || status === "rateLimited";
    const own = isTemporary ? undefined : find(`${status === "refused" ? "refused" : "lost"}.heading`);
    setFailureStatus(response, { ...failure, status: statuses[status] });
    await pages.send(
      response,
      <MessagePage
        {...(await pages.shopProps(request, site))}
        title={own ?? page("error.heading")}
        robots="noindex"
        text={textFor()}
        link={
          isTemporary
            ? { url: "/", text: page("home") }
            : { url: "/login", text: find("again") ?? page("account.login") }
        }
      />,
    );

    function textFor(): string {
      if (status === "unavailable") return login("error.unavailable");
      if (status === "rateLimited") return login("error.throttled");
      return find(`${status === "refused" ? "refused" : "lost"}.text`) ?? page("refused.text");
    }
  }
}
