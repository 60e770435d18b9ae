import type { ErrorRequestHandler } from "express";
import { failureOf, isTold } from "../../errors.ts";
import { describeToPanel } from "../../http/program-answers.ts";
import type { Logger } from "../../logger.ts";

/** Answers a failed call of the preview panel with the one word that the panel reads, and the fields that are wrong. */
export function answerStatus(logger: Logger): ErrorRequestHandler {
  return (error, _request, response, next) => {
    const answer = describeToPanel(failureOf(error));
    if (response.headersSent || !answer) return next(error);
    if (answer.status >= 500 && !isTold(error))
      logger.error({ err: error }, "the service could not answer the request");
    response.status(answer.status).json(answer.body);
  };
}
