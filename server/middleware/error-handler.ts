import type { ErrorRequestHandler, Response } from "express";
import { BadRequestError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { PageRenderer } from "../pages/page-renderer.tsx";

/** Answers what went wrong: a caller's mistake by its reason, our own with a kind page. The log has the cause. */
export function errorHandler(logger: Logger, pages: PageRenderer): ErrorRequestHandler {
  return async (error, request, response, _next) => {
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
      const reason = error instanceof BadRequestError ? error.message : "the request can't be read";
      response.set("Cache-Control", "no-store").type("text").send(reason);
    }
  };

  /** Where not even the page that says so can be made. */
  function endEmpty(response: Response, error: unknown) {
    logger.error({ err: error }, "error page failed");
    if (response.headersSent) response.destroy();
    else response.end();
  }
}

/** Errors of Express and its body parser carry their status, too. */
function statusOf(error: unknown): number {
  const status = error instanceof Error && "status" in error ? error.status : undefined;
  return typeof status === "number" && status >= 400 && status < 600 ? status : 500;
}
