import { Router } from "express";
import { clearCache } from "../http/clear-cache.ts";
import { requireSameOrigin } from "../http/require-same-origin.ts";
import { loginCallerOf } from "../services/login-cookies.ts";
import type { LoginService } from "../services/login-service.ts";

/** Answers the button in the header that signs out, which needs no script: it leads to the home page. */
export function logoutRoute(login: LoginService): Router {
  const router = Router();
  router.post("/logout", requireSameOrigin(), clearCache(), async (request, response) => {
    response.setHeader("Set-Cookie", await login.logout(loginCallerOf(request)));
    response.redirect(303, "/");
  });
  return router;
}
