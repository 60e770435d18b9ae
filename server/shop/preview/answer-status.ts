import type { ErrorRequestHandler } from "express";
import { BadRequestError, ForbiddenError, statusOf } from "../../errors.ts";
import type { Logger } from "../../logger.ts";

/** The preview panel reads how a call went from one word; which fields are wrong, comes with it. */
export function answerStatus(logger: Logger): ErrorRequestHandler {
  return (error, _request, response, next) => {
    // What another site's page sends is no call of the panel.
    if (response.headersSent || error instanceof ForbiddenError) return next(error);
    const status = statusOf(error);
    if (status >= 500) {
      logger.error({ err: error }, "request failed");
      response.status(500).json({ status: "INTERNAL_ERROR" });
    } else if (status === 401) {
      response.status(401).json({ status: "UNAUTHORIZED" });
    } else {
      const errors = error instanceof BadRequestError ? error.fields : [];
      response.status(400).json({ status: "BAD_REQUEST", ...(errors.length > 0 && { errors }) });
    }
  };
}
