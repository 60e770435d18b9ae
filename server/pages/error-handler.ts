import type { ErrorRequestHandler, Response } from "express";
import { ClientGoneError, failureOf, isTold } from "../errors.ts";
import { setAudience } from "../http/who-may-store.ts";
import type { Logger } from "../logger.ts";
import { pageAnswers } from "./page-answers.ts";
import type { PageRenderer } from "./page-renderer.tsx";

/**
 * Answers requests for pages that went wrong: people get a kind page, programs the reason of a mistake of theirs. The
 * cause of a mistake of ours is logged.
 */
export function errorHandler(logger: Logger, pages: PageRenderer): ErrorRequestHandler {
  return async (error, request, response, _next) => {
    if (isClientGone(error)) {
      response.destroy();
      return;
    }
    if (response.headersSent) {
      logger.error({ err: error }, "the service broke off an answer");
      response.destroy();
      return;
    }
    const failure = failureOf(error);
    const { status, message } = pageAnswers[failure.kind];
    response.status(status);
    setAudience(response, "page");
    if (status >= 500 && !isTold(error)) logger.error({ err: error }, "the service could not answer the request");
    if (status < 500 && request.accepts("text", "html") !== "html") {
      response.type("text").send(failure.message);
      return;
    }
    await pages.sendMessage(request, response, message).catch((second) => endEmpty(response, second));
  };

  /** Ends an answer for which not even the error page could be rendered. */
  function endEmpty(response: Response, error: unknown) {
    logger.error({ err: error }, "the service could not render the error page");
    if (response.headersSent) response.destroy();
    else response.end();
  }
}

/** Tells whether the client has left, before the first byte or in the middle of a stream: that is no fault of ours. */
function isClientGone(error: unknown): boolean {
  if (error instanceof ClientGoneError) return true;
  return error instanceof Error && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE";
}
