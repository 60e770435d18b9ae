import type { FailureKind } from "../errors.ts";

/** The status with which composers are answered, by the kind of failure: they read nothing else. */
export const composerStatuses: Record<FailureKind, number> = {
  badRequest: 400,
  invalid: 400,
  invalidEmail: 400,
  unauthorized: 401,
  forbidden: 403,
  notFound: 404,
  wrongMethod: 405,
  invalidToken: 404,
  expired: 410,
  badLink: 410,
  tooLarge: 413,
  unsupported: 415,
  preconditionFailed: 412,
  badRange: 416,
  rateLimited: 429,
  clientGone: 499,
  unavailable: 503,
  failed: 500,
};
