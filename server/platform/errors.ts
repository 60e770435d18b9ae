import type { ServiceError } from "../../schemas/types.ts";

/** The ways in which a request can fail, each with its status and with its name for programs. */
export const failures = {
  /** A parameter, a field or the body is wrong. */
  badRequest: { status: 400, type: "INVALID_REQUEST" },
  /** The values in a form break its rules. */
  invalid: { status: 400, type: "INVALID_REQUEST" },
  /** The email address in a form is wrong. */
  invalidEmail: { status: 400, type: "INVALID_EMAIL" },
  /** No user is signed in, or the credentials are wrong. */
  unauthorized: { status: 401, type: "UNAUTHORIZED" },
  /** The request may come from a page of another origin. */
  forbidden: { status: 403, type: "FORBIDDEN" },
  /** There is nothing at this URL. */
  notFound: { status: 404, type: "NOT_FOUND" },
  /** The URL exists, but not for this method. The header Allow lists its methods. */
  wrongMethod: { status: 405, type: "METHOD_NOT_ALLOWED" },
  /** The token in the link was never sent, or has been used. */
  invalidToken: { status: 404, type: "INVALID_TOKEN" },
  /** The token in the link was sent too long ago. */
  expired: { status: 410, type: "TOKEN_EXPIRED" },
  /** The link to a preview isn't valid, or no longer is. */
  badLink: { status: 410, type: "TOKEN_EXPIRED" },
  /** The body is too large. */
  tooLarge: { status: 413, type: "PAYLOAD_TOO_LARGE" },
  /** The service can't read the body's media type or encoding. */
  unsupported: { status: 415, type: "INVALID_REQUEST" },
  /** The file no longer matches the request's If-Match or If-Unmodified-Since. */
  preconditionFailed: { status: 412, type: "INVALID_REQUEST" },
  /** The file doesn't have the requested range. */
  badRange: { status: 416, type: "INVALID_REQUEST" },
  /** The caller has sent too many requests. */
  rateLimited: { status: 429, type: "RATE_LIMITED" },
  /** The client disconnected before its response was complete. */
  clientGone: { status: 499, type: "INVALID_REQUEST" },
  /** The request needs something that is unavailable at the moment. */
  unavailable: { status: 503, type: "UNAVAILABLE" },
  /** The service itself failed. */
  failed: { status: 500, type: "INTERNAL_ERROR" },
} as const satisfies Record<string, Pick<ServiceError, "status" | "type">>;

export type FailureKind = keyof typeof failures;

/** The failures for which the service is at fault. */
type ServerFailure = {
  [Kind in FailureKind]: `${(typeof failures)[Kind]["status"]}` extends `5${string}` ? Kind : never;
}[FailureKind];

/** What callers read of a failure for which the service is at fault. Its own message is for the log. */
export const serverFailureTexts = {
  unavailable: "the service isn't available, please try again later",
  failed: "the service has failed",
} satisfies Record<ServerFailure, string>;

/** A wrong field, and the rule that it breaks. */
export interface FieldFault {
  field: string;
  message: string;
}

/** The failure of a request, in a form that its caller may see. */
export interface Failure {
  kind: FailureKind;
  /** A message for the caller, never a library's; undefined if the service is at fault. */
  message?: string;
  /** The wrong fields, if the caller has sent several fields. */
  fields?: readonly FieldFault[];
  /** When to try again, in seconds. */
  retryAfter?: number | undefined;
}

/** Rejects a request with a message that the caller may read. Thrown only by code that handles HTTP. */
export class RequestError extends Error implements Failure {
  override readonly name = "RequestError";
  readonly kind: FailureKind;
  readonly fields: readonly FieldFault[];
  readonly retryAfter: number | undefined;

  constructor(kind: FailureKind, message: string, { fields = [], retryAfter }: Omit<Failure, "kind" | "message"> = {}) {
    super(message);
    this.kind = kind;
    this.fields = fields;
    this.retryAfter = retryAfter;
  }
}

/**
 * The result of a service that has rejected a call. Its status is the kind of failure. A service that can't work at the
 * moment throws UnavailableError instead.
 */
export interface Failed<Kind extends FailureKind> {
  status: Kind;
}

export interface RateLimited extends Failed<"rateLimited"> {
  /** When to try again, in seconds. */
  retryAfter: number;
}

/** Something that a request needs is unavailable at the moment. The cause is for the log. */
export class UnavailableError extends Error {
  override readonly name: string = "UnavailableError";
}

/** An upstream call failed. The message contains nothing of the request or the response. */
export class UpstreamError extends UnavailableError {
  override readonly name = "UpstreamError";

  /** The reason, such as `no answer within 2000 ms`. */
  readonly fault: string;
  /** Whether the upstream may be down; false if it wasn't called, or if its response was rejected. */
  readonly mayBeDown: boolean;

  constructor(upstream: string, fault: string, { mayBeDown = true } = {}) {
    super(`upstream ${upstream}: ${fault}`);
    this.fault = fault;
    this.mayBeDown = mayBeDown;
  }
}

/** The client disconnected before its response was complete. */
export class ClientGoneError extends Error {
  override readonly name = "ClientGoneError";
}

const reported = new WeakSet<object>();

/** Marks an error as logged by a health log, so that nothing else logs it. */
export function markReported(error: unknown): void {
  if (error instanceof Error) reported.add(error);
}

/** Whether a health log has logged an error or its cause. */
export function isReported(error: unknown): boolean {
  return error instanceof Error && (reported.has(error) || isReported(error.cause));
}

/** Returns an error's code or name. Its message may contain personal data or a part of a response. */
export function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

/** Converts an error of the service, of Express or of its parsers to a failure; unknown errors become `failed`. */
export function failureOf(error: unknown): Failure {
  if (error instanceof RequestError) return error;
  if (error instanceof ClientGoneError) return { kind: "clientGone" };
  if (error instanceof UnavailableError || isReported(error)) return { kind: "unavailable" };
  const status = error instanceof Error && "status" in error ? Number(error.status) : 500;
  if (status >= 400 && status < 500)
    return { kind: unreadable.get(status) ?? "badRequest", message: "the request can't be read" };
  return { kind: "failed" };
}

/** The failures that Express, its parsers and its file server report by the status of an error. */
const unreadable = new Map<number, FailureKind>([
  [412, "preconditionFailed"],
  [413, "tooLarge"],
  [415, "unsupported"],
  [416, "badRange"],
]);

/** The service can't start, or a command can't run. Each fault is one line. */
export class StartError extends Error {
  override readonly name: string = "StartError";

  readonly faults: string[];

  constructor(faults: string[]) {
    super(faults.join("\n"));
    this.faults = faults;
  }
}

/** A command isn't written as its help says: its exit code is 2. */
export class UsageError extends StartError {
  override readonly name = "UsageError";
}

/**
 * Throws the faults, if there are any, as one error.
 * @throws StartError
 */
export function throwFaults(faults: string[]): void {
  if (faults.length > 0) throw new StartError(faults);
}
