import type { ErrorRequestHandler, RequestHandler } from "express";
import {
  BadRequestError,
  InvalidEmailError,
  InvalidTokenError,
  NotFoundError,
  RateLimitedError,
  reasonOf,
  statusOf,
} from "../errors.ts";
import type { Logger } from "../logger.ts";

/** What a service call answers when it fails. */
interface ServiceError {
  /** For programs. */
  type: string;
  /** For people. */
  title: string;
  status: number;
  /** The fields of the request that are wrong. */
  errors?: readonly { field: string; message: string }[];
}

/**
 * Ends the service calls: one that no route has taken is not found, and errors are answered as JSON. A caller's mistake
 * is told by its reason, our own without; the log has its cause.
 */
export function serviceErrorHandlers(logger: Logger): [RequestHandler, ErrorRequestHandler] {
  return [
    () => {
      throw new NotFoundError("no such service call");
    },
    (error, _request, response, next) => {
      if (response.headersSent) return next(error);
      const body = describe(error);
      if (body.status >= 500) logger.error({ err: error }, "request failed");
      if (error instanceof RateLimitedError) response.set("Retry-After", String(error.retryAfter));
      response.status(body.status).json(body);
    },
  ];
}

/** The types of errors by their status; of others it is that of a request that can't be answered. */
const types = new Map([
  [401, "UNAUTHORIZED"],
  [403, "FORBIDDEN"],
  [404, "NOT_FOUND"],
  [410, "TOKEN_EXPIRED"],
  [429, "RATE_LIMITED"],
]);

function describe(error: unknown): ServiceError {
  const status = statusOf(error);
  if (status === 503)
    return { type: "UNAVAILABLE", title: "the service isn't available, please try again later", status };
  if (status >= 500) return { type: "INTERNAL_ERROR", title: "the service has failed", status };
  const errors = error instanceof BadRequestError ? error.fields : [];
  return { type: typeOf(error, status), title: reasonOf(error), status, ...(errors.length > 0 && { errors }) };
}

function typeOf(error: unknown, status: number): string {
  if (error instanceof InvalidTokenError) return "INVALID_TOKEN";
  if (error instanceof InvalidEmailError) return "INVALID_EMAIL";
  return types.get(status) ?? "INVALID_REQUEST";
}
