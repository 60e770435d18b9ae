import express, { type RequestHandler, Router } from "express";
import { cachePolicy } from "../http/cache-control.ts";
import { errorHandler } from "../http/error-handler.ts";
import { RequestError } from "../platform/errors.ts";
import type { Logger } from "../platform/logger.ts";
import type { Database } from "../store/open-store.ts";
import {
  type BackchannelLogout,
  createBackchannelLogout,
  type LogoutContext,
  type LogoutResult,
  type ProviderSessions,
} from "./backchannel-logout.ts";

/** The largest body in bytes. A logout token has one or two thousand. */
const maxBody = 16 * 1024;

interface RoutesContext extends LogoutContext {
  logger: Logger;
  openStore(): Promise<{ db: Database }>;
}

/**
 * Creates the routes by which providers end sessions; none without a provider.
 * @param sessions - those of each client that this service is at a provider
 */
export async function createBackchannelRoutes(
  sessions: readonly ProviderSessions[],
  context: RoutesContext,
): Promise<Router> {
  if (sessions.length === 0) return Router();
  const { db } = await context.openStore();
  return backchannelRoutes(createBackchannelLogout(sessions, context, db), context.logger);
}

/**
 * Answers the calls of providers. They have no cookies and no origin: their tokens are their only evidence. Errors are
 * those of OAuth (OpenID Connect Back-Channel Logout 1.0, 2.8).
 */
function backchannelRoutes({ admit, logout }: BackchannelLogout, logger: Logger): Router {
  const parse = express.urlencoded({ extended: false, limit: maxBody, parameterLimit: 10, inflate: false });
  const refuseBlocked: RequestHandler = async (request, _response, next) => {
    const blocked = await admit(request.ip);
    if (blocked) requireDone(blocked);
    next();
  };
  // A body that can't be read has no token.
  const readForm: RequestHandler = (request, response, next) => parse(request, response, () => next());
  const end: RequestHandler = async (request, response) => {
    const token: unknown = request.body?.logout_token;
    requireDone(await logout(typeof token === "string" ? token : undefined, request.ip));
    response.end();
  };
  const sendFailure = errorHandler(logger, ({ status, title }, { kind }, _request, response) => {
    const isRefused = status < 500 && kind !== "rateLimited";
    const error = isRefused ? "invalid_request" : "temporarily_unavailable";
    response.status(isRefused ? 400 : status).json({ error, error_description: title });
  });
  const router = Router();
  router.post("/login/backchannel-logout", cachePolicy("page"), refuseBlocked, readForm, end, sendFailure);
  return router;
}

/** @throws RequestError if a logout was refused */
function requireDone(result: LogoutResult): void {
  if (result.status === "rateLimited") throw new RequestError("rateLimited", "too many calls were refused", result);
  if (result.status === "refused")
    throw new RequestError("badRequest", `the logout token is refused: ${result.reason}`);
}
