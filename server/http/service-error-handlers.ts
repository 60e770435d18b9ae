import type { ErrorRequestHandler, Request, RequestHandler } from "express";
import { failureOf, isTold, RequestError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { describeFailure } from "./program-answers.ts";
import { isServiceCall } from "./service-paths.ts";

/**
 * Ends the service calls: one that no route has taken is not found, and errors are answered as JSON. The cause of what
 * is our fault is logged. People who ask for a page of the shop below /service/ are left to the pages.
 */
export function serviceErrorHandlers(logger: Logger): [RequestHandler, ErrorRequestHandler] {
  return [
    (request, _response, next) => {
      if (isForPage(request)) return next();
      throw new RequestError("notFound", "no such service call");
    },
    (error, _request, response, next) => {
      if (response.headersSent) return next(error);
      const failure = failureOf(error);
      const body = describeFailure(failure);
      if (body.status >= 500 && !isTold(error))
        logger.error({ err: error }, "the service could not answer the request");
      if (failure.retryAfter !== undefined) response.set("Retry-After", String(failure.retryAfter));
      response.status(body.status).json(body);
    },
  ];
}

/** Programs take anything, so it counts what is taken first. */
function isForPage(request: Request): boolean {
  const { method, originalUrl } = request;
  return /^(GET|HEAD)$/.test(method) && !isServiceCall(originalUrl) && request.accepts("json", "html") === "html";
}
