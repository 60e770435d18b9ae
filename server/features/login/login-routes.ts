import { type Request, Router } from "express";
import type { LoginRequest } from "../../../schemas/types.ts";
import { clearBrowserCache } from "../../http/cache-control.ts";
import { requireCsrf } from "../../http/csrf.ts";
import { createBodyReader, jsonBody } from "../../http/request-input.ts";
import { isReported, RequestError, UnavailableError } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";
import type { OwnSessions, PasswordLogin, ProviderLogin, Renewal } from "./service.ts";

/** A login service whose sessions are in our own store. */
export type OwnLogin = (PasswordLogin | ProviderLogin) & OwnSessions;

const base = "/service/login/api/v1";
/** Maximum body size in bytes. */
const maxBody = 4 * 1024;
const readLogin = createBodyReader<LoginRequest>("login");

/**
 * Answers the calls of the sites that have no real login service.
 * @param loginOf - returns the service of a request's site
 */
export function loginRoutes(loginOf: (request: Request) => OwnLogin, logger: Logger): Router {
  const router = Router();

  router.post(`${base}/login`, requireCsrf(), jsonBody(maxBody), async (request, response) => {
    const service = loginOf(request);
    if (!("login" in service))
      throw new RequestError("notFound", "customers of this site sign in at its identity provider, by the page /login");
    const result = await service.login(readLogin(request.body), request);
    if (result.status === "unauthorized") throw new RequestError(result.status, "the address or the password is wrong");
    if (result.status !== "success") throw new RequestError(result.status, "too many attempts", result);
    response.setHeader("Set-Cookie", result.cookies).json({ status: "SUCCESS" });
  });

  router.post(`${base}/logintoken/renew`, requireCsrf(), async (request, response) => {
    const { status, cookies } = await renew(request);
    response.setHeader("Set-Cookie", cookies);
    if (status === "ended") throw new RequestError("unauthorized", "nobody is signed in");
    response.status(status === "last" ? 200 : 201).json({ status: status === "last" ? "LAST" : "RENEWED" });
  });

  router.post(`${base}/longtermtoken/renew`, requireCsrf(), async (request, response) => {
    response.setHeader("Set-Cookie", await loginOf(request).renewLongtermToken(request)).sendStatus(204);
  });

  router.post(`${base}/logout`, requireCsrf(), async (request, response) => {
    response.setHeader("Set-Cookie", await loginOf(request).logout(request));
    clearBrowserCache(response);
    response.sendStatus(204);
  });
  return router;

  /** Callers know the status 500 of a renewal, which says nothing about the session. */
  async function renew(request: Request): Promise<Renewal> {
    try {
      return await loginOf(request).renewSession(request);
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      if (!isReported(error)) logger.error({ err: error }, "a session could not be renewed");
      throw new RequestError("failed", "the session could not be renewed");
    }
  }
}
