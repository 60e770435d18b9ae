import { Router } from "express";
import type { LoginRequest } from "../../../../schemas/types.ts";
import { clearBrowserCache } from "../../../http/cache-control.ts";
import { requireCsrf } from "../../../http/csrf.ts";
import { createBodyReader, jsonBody } from "../../../http/request-input.ts";
import { RequestError } from "../../../platform/errors.ts";
import type { EmbeddedLogin } from "./login-service.ts";

const base = "/service/login/api/v1";
/** Maximum body size in bytes. */
const maxBody = 4 * 1024;
const readLogin = createBodyReader<LoginRequest>("login");

/** Answers the calls of the embedded login service. */
export function loginRoutes(login: EmbeddedLogin): Router {
  const router = Router();

  router.post(`${base}/login`, requireCsrf(), jsonBody(maxBody), async (request, response) => {
    const result = await login.login(readLogin(request.body), request);
    if (result.status === "unauthorized") throw new RequestError(result.status, "the address or the password is wrong");
    if (result.status !== "success") throw new RequestError(result.status, "too many attempts", result);
    response.setHeader("Set-Cookie", result.cookies).json({ status: "SUCCESS" });
  });

  router.post(`${base}/logintoken/renew`, requireCsrf(), async (request, response) => {
    const { status, cookies } = await login.renewSession(request);
    response.setHeader("Set-Cookie", cookies);
    if (status === "ended") throw new RequestError("unauthorized", "nobody is signed in");
    response.status(status === "last" ? 200 : 201).json({ status: status === "last" ? "LAST" : "RENEWED" });
  });

  router.post(`${base}/longtermtoken/renew`, requireCsrf(), async (request, response) => {
    const { cookies } = await login.renewSession(request);
    response.setHeader("Set-Cookie", cookies).sendStatus(204);
  });

  router.post(`${base}/logout`, requireCsrf(), async (request, response) => {
    response.setHeader("Set-Cookie", await login.logout(request));
    clearBrowserCache(response);
    response.sendStatus(204);
  });
  return router;
}
