import type { Failure, FailureKind, FieldFault } from "../platform/errors.ts";

interface ApiError {
  status: number;
  type: string;
  /** A sentence for people; undefined where the failure's own message is sent. */
  title?: string;
}

const errors: Record<FailureKind, ApiError> = {
  badRequest: { status: 400, type: "INVALID_REQUEST" },
  invalid: { status: 400, type: "INVALID_REQUEST" },
  invalidEmail: { status: 400, type: "INVALID_EMAIL" },
  unauthorized: { status: 401, type: "UNAUTHORIZED" },
  forbidden: { status: 403, type: "FORBIDDEN" },
  notFound: { status: 404, type: "NOT_FOUND" },
  wrongMethod: { status: 405, type: "METHOD_NOT_ALLOWED" },
  invalidToken: { status: 404, type: "INVALID_TOKEN" },
  expired: { status: 410, type: "TOKEN_EXPIRED" },
  badLink: { status: 410, type: "TOKEN_EXPIRED" },
  tooLarge: { status: 413, type: "PAYLOAD_TOO_LARGE" },
  unsupported: { status: 415, type: "INVALID_REQUEST" },
  preconditionFailed: { status: 412, type: "INVALID_REQUEST" },
  badRange: { status: 416, type: "INVALID_REQUEST" },
  rateLimited: { status: 429, type: "RATE_LIMITED" },
  clientGone: { status: 499, type: "INVALID_REQUEST", title: "the request can't be read" },
  unavailable: { status: 503, type: "UNAVAILABLE", title: "the service isn't available, please try again later" },
  failed: { status: 500, type: "INTERNAL_ERROR", title: "the service has failed" },
};

/** The body of a service call that failed. */
export interface ServiceError {
  /** The name of the failure for programs. */
  type: string;
  /** A sentence for people. */
  title: string;
  status: number;
  /** The wrong fields of the request. */
  errors?: readonly FieldFault[];
}

/** Describes a failure to a program: a mistake of the caller with its reason, one of ours without. */
export function describeFailure({ kind, message, fields = [] }: Failure): ServiceError {
  const { type, status, title } = errors[kind];
  return { type, title: message ?? title ?? "", status, ...(fields.length > 0 && { errors: fields }) };
}

/**
 * The paths below /service/ that this service answers; all others are pages of the shop. The recipes of docs/include.md
 * route the same ones.
 */
export const servicePaths = [
  "newsletter/api",
  "newsletterfrontend/newslettersubscriptionform",
  "promotion",
  "customerfrontenddata",
  "login",
  "preview",
  "abtestfrontend",
  "footer-images",
] as const;

const ownPath = new RegExp(`^/service/(${servicePaths.join("|")})/`, "i");

/** Returns whether a URL below /service/ belongs to a call or a file of this service. */
export function isServiceCall(url: string): boolean {
  return ownPath.test(url);
}
