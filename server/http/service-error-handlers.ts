import type { ErrorRequestHandler, RequestHandler } from "express";
import { failureOf, RequestError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { describeFailure } from "./program-answers.ts";

/**
 * Ends the service calls: one that no route has taken is not found, and errors are answered as JSON. The cause of what
 * is our fault is logged.
 */
export function serviceErrorHandlers(logger: Logger): [RequestHandler, ErrorRequestHandler] {
  return [
    () => {
      throw new RequestError("notFound", "no such service call");
    },
    (error, _request, response, next) => {
      if (response.headersSent) return next(error);
      const failure = failureOf(error);
      const body = describeFailure(failure);
      if (body.status >= 500) logger.error({ err: error }, "the service could not answer the request");
      if (failure.retryAfter !== undefined) response.set("Retry-After", String(failure.retryAfter));
      response.status(body.status).json(body);
    },
  ];
}
