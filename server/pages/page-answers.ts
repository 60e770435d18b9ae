import type { Response } from "express";
import type { FailureKind } from "../errors.ts";

interface PageAnswer {
  status: number;
  /** Which message a page shows that has nothing more to say. */
  message: "refused" | "error";
}

/**
 * What people are answered, by the kind of failure. Forms that can't be taken show themselves again with its status.
 */
export const pageAnswers: Record<FailureKind, PageAnswer> = {
  badRequest: { status: 400, message: "refused" },
  invalid: { status: 422, message: "refused" },
  invalidEmail: { status: 422, message: "refused" },
  unauthorized: { status: 422, message: "refused" },
  forbidden: { status: 403, message: "refused" },
  notFound: { status: 404, message: "refused" },
  wrongMethod: { status: 405, message: "refused" },
  invalidToken: { status: 422, message: "refused" },
  expired: { status: 422, message: "refused" },
  badLink: { status: 410, message: "refused" },
  tooLarge: { status: 413, message: "refused" },
  unsupported: { status: 415, message: "refused" },
  preconditionFailed: { status: 412, message: "refused" },
  badRange: { status: 416, message: "refused" },
  rateLimited: { status: 429, message: "refused" },
  clientGone: { status: 499, message: "refused" },
  unavailable: { status: 503, message: "error" },
  failed: { status: 500, message: "error" },
};

/**
 * Sets the status of a page that tells of a failure, and Retry-After where the failure has it. Returns the response.
 */
export function failWith(
  response: Response,
  { status, retryAfter }: { status: FailureKind; retryAfter?: number },
): Response {
  if (retryAfter !== undefined) response.set("Retry-After", String(retryAfter));
  return response.status(pageAnswers[status].status);
}
