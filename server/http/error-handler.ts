import type { ErrorRequestHandler, Request, RequestHandler, Response } from "express";
import type { ServiceError } from "../../schemas/types.ts";
import {
  ClientGoneError,
  type Failure,
  failureOf,
  failures,
  isReported,
  RequestError,
  serverFailureTexts,
} from "../platform/errors.ts";
import type { Logger } from "../platform/logger.ts";
import { setCachePolicy } from "./cache-control.ts";
import { servicePaths } from "./edge-routes.ts";

/** Builds the JSON error body. Client errors carry the reason, server errors don't. */
export function describeFailure({ kind, message, fields = [] }: Failure): ServiceError {
  const own = kind === "failed" ? serverFailureTexts.failed : serverFailureTexts.unavailable;
  const { type, status } = failures[kind];
  return { type, title: message ?? own, status, ...(fields.length > 0 && { errors: [...fields] }) };
}

/**
 * Sends a failure in the format that the clients of some routes read.
 * @returns false to leave it to the next handler
 */
export type SendFailure = (error: ServiceError, failure: Failure, request: Request, response: Response) => unknown;

/** Creates the error handler of all earlier routes. It logs the service's own errors. */
export function errorHandler(logger: Logger, send: SendFailure): ErrorRequestHandler {
  return async (error, request, response, next) => {
    if (isClientGone(error)) return void response.destroy();
    if (response.headersSent) {
      logger.error({ err: error }, "response aborted");
      return void response.destroy();
    }
    const failure = failureOf(error);
    const described = describeFailure(failure);
    if (described.status >= 500 && failure.message === undefined && !isReported(error))
      logger.error({ err: error }, "request failed");
    if (failure.retryAfter !== undefined) response.set("Retry-After", String(failure.retryAfter));
    setCachePolicy(response, "page");
    try {
      if ((await send(described, failure, request, response)) === false) next(error);
    } catch (second) {
      if (!isClientGone(second)) logger.error({ err: second }, "error page failed");
      if (response.headersSent) response.destroy();
      else response.end();
    }
  };
}

/** Whether the client has disconnected, before the first byte or during a stream. */
function isClientGone(error: unknown): boolean {
  if (error instanceof ClientGoneError) return true;
  return error instanceof Error && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE";
}

/**
 * Creates the last handlers of the service calls: unknown calls get 404, and errors are JSON. Requests by people for a
 * page of the shop below /service/ are left to the pages.
 */
export function apiErrorHandlers(logger: Logger): [RequestHandler, ErrorRequestHandler] {
  return [
    (request, _response, next) => {
      if (!isForPage(request)) throw new RequestError("notFound", "no such service call");
      next();
    },
    errorHandler(logger, (error, _failure, _request, response) => response.status(error.status).json(error)),
  ];
}

const ownPath = new RegExp(`^/service/(${servicePaths.join("|")})/`, "i");

/** Returns whether a URL below /service/ belongs to a call or a file of this service. */
export function isServiceCall(url: string): boolean {
  return ownPath.test(url);
}

/** Programs accept anything, so the first accepted type decides. */
function isForPage(request: Request): boolean {
  const { method, originalUrl } = request;
  return /^(GET|HEAD)$/.test(method) && !isServiceCall(originalUrl) && request.accepts("json", "html") === "html";
}
