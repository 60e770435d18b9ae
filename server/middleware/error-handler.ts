import type { ErrorRequestHandler, Response } from "express";
import { ClientGoneError, reasonOf, statusOf } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { PageRenderer } from "../pages/page-renderer.tsx";

/** Answers what went wrong: a caller's mistake by its reason, our own with a kind page. The log has the cause. */
export function errorHandler(logger: Logger, pages: PageRenderer): ErrorRequestHandler {
  return async (error, request, response, _next) => {
    if (isClientGone(error)) {
      response.destroy();
      return;
    }
    if (response.headersSent) {
      logger.error({ err: error }, "answer broken off");
      response.destroy();
      return;
    }
    const status = statusOf(error);
    response.status(status);
    if (status >= 500) {
      logger.error({ err: error }, "request failed");
      await pages.sendMessage(request, response, "error").catch((second) => endEmpty(response, second));
    } else {
      response.set("Cache-Control", "no-store").type("text").send(reasonOf(error));
    }
  };

  /** Where not even the page that says so can be made. */
  function endEmpty(response: Response, error: unknown) {
    logger.error({ err: error }, "error page failed");
    if (response.headersSent) response.destroy();
    else response.end();
  }
}

/** Before the first byte, or in the middle of a stream: nobody is left to be answered, and nothing is wrong with us. */
function isClientGone(error: unknown): boolean {
  if (error instanceof ClientGoneError) return true;
  return error instanceof Error && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE";
}
