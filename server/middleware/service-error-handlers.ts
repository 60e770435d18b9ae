import type { ErrorRequestHandler, RequestHandler } from "express";
import { BadRequestError, NotFoundError, reasonOf, statusOf } from "../errors.ts";
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
      response.status(body.status).json(body);
    },
  ];
}

function describe(error: unknown): ServiceError {
  const status = statusOf(error);
  if (status >= 500) return { type: "INTERNAL_ERROR", title: "the service has failed", status };
  const type = status === 404 ? "NOT_FOUND" : "INVALID_REQUEST";
  const errors = error instanceof BadRequestError ? error.fields : [];
  return { type, title: reasonOf(error), status, ...(errors.length > 0 && { errors }) };
}
