import type { ErrorRequestHandler, Request, RequestHandler, Response, Router } from "express";
import { allowMethodsOf } from "../http/allow-methods.ts";
import { errorHandler } from "../http/error-handler.ts";
import { type Failed, type FailureKind, failureOf, failures, isReported } from "../platform/errors.ts";
import type { Logger } from "../platform/logger.ts";
import type { PageRenderer } from "./page-renderer.tsx";

/** The failures after which a form is shown again with the entered values. */
const formFailures = new Set<FailureKind>(["invalid", "invalidEmail", "unauthorized", "invalidToken", "expired"]);

/**
 * Creates the last handlers of the app: wrong methods, unknown paths and errors.
 * @param routes - has all routes of the app
 */
export function errorPages(
  routes: Router,
  logger: Logger,
  pages: PageRenderer,
): (RequestHandler | ErrorRequestHandler)[] {
  return [
    allowMethodsOf(routes),
    // People get a page of the shop, programs an empty body.
    async (request: Request, response: Response) => {
      response.status(404);
      if (/^(GET|HEAD)$/.test(request.method) && request.accepts("html"))
        await pages.sendMessage(request, response, "notFound");
      else response.end();
    },
    // Programs get the reason if the mistake is theirs.
    errorHandler(logger, async (_error, { kind, message }, request, response) => {
      const status = statusOf(kind);
      response.status(status);
      if (status >= 500) await pages.sendMessage(request, response, "error");
      else if (request.accepts("text", "html") === "html") await pages.sendMessage(request, response, "refused");
      else response.type("text").send(message);
    }),
  ];
}

/**
 * Sets the status of a page that shows a failure, and Retry-After if the failure has it.
 * @returns the response
 */
export function setFailureStatus(
  response: Response,
  { status, retryAfter }: { status: FailureKind; retryAfter?: number },
): Response {
  if (retryAfter !== undefined) response.set("Retry-After", String(retryAfter));
  return response.status(statusOf(status));
}

function statusOf(kind: FailureKind): number {
  return formFailures.has(kind) ? 422 : failures[kind].status;
}

/**
 * Waits for the service call of a form. If the service is unavailable, logs the cause, and the form is shown again with
 * the entered values.
 * @param message - the log message in that case
 */
export async function settleForm<Result>(
  call: Promise<Result>,
  logger: Logger,
  message: string,
): Promise<Result | Failed<"unavailable">> {
  try {
    return await call;
  } catch (error) {
    if (failureOf(error).kind !== "unavailable") throw error;
    if (!isReported(error)) logger.error({ err: error }, message);
    return { status: "unavailable" };
  }
}
