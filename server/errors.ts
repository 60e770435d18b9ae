/**
 * What can be wrong with a request, or with us when it comes. Each audience has one table that says what it is answered:
 * programs in http/program-answers.ts, people in pages/page-answers.ts, composers in fragments/composer-answers.ts.
 */
export type FailureKind =
  /** The request isn't one that is taken here: a parameter, a field or its body is wrong. */
  | "badRequest"
  /** What somebody has entered breaks the rules of a form. */
  | "invalid"
  /** Of what somebody has entered, the e-mail address is wrong. */
  | "invalidEmail"
  /** Nobody is signed in, or can be with these credentials. */
  | "unauthorized"
  /** The request may come from a page of somebody else. */
  | "forbidden"
  | "notFound"
  /** Nobody has got this link by mail, or it has served its purpose. */
  | "invalidToken"
  /** The link came by mail too long ago. */
  | "expired"
  /** The link to a preview isn't one of ours, or not any more. */
  | "badLink"
  /** The body is larger than it may be. */
  | "tooLarge"
  /** The body is written in a way that isn't read here. */
  | "unsupported"
  /** The file has changed since the browser got it, and the browser wants no other. */
  | "preconditionFailed"
  /** The file has no such part. */
  | "badRange"
  /** It is one request too many. */
  | "rateLimited"
  /** The client left before its answer was complete. */
  | "clientGone"
  /** What the request needs can't be had at the moment. */
  | "unavailable"
  | "failed";

/** A field that is wrong, and what it has to be. */
export interface FieldFault {
  field: string;
  message: string;
}

/** What went wrong with a request, as an audience may be told. */
export interface Failure {
  kind: FailureKind;
  /** In our own words, never a library's; undefined where the fault is ours. */
  message?: string;
  /** Which fields are wrong, where the caller sent several. */
  fields?: readonly FieldFault[];
  /** When to try again, in seconds. */
  retryAfter?: number | undefined;
}

/** A request that can't be answered as it asks; the caller may read the message. Thrown only where HTTP is spoken. */
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

/** What a request needs can't be had at the moment. Its cause is for the log. */
export class UnavailableError extends Error {
  override readonly name: string = "UnavailableError";
}

/** An upstream that doesn't answer as it should. The message names it and what is wrong, nothing of what was sent. */
export class UpstreamError extends UnavailableError {
  override readonly name = "UpstreamError";

  /** What is wrong, such as `no answer within 2000 ms`. */
  readonly fault: string;

  constructor(upstream: string, fault: string) {
    super(`upstream ${upstream}: ${fault}`);
    this.fault = fault;
  }
}

/** A render that took longer than it may. */
export class RenderTimeoutError extends UnavailableError {
  override readonly name = "RenderTimeoutError";
}

/** The client left before its answer was rendered. */
export class ClientGoneError extends Error {
  override readonly name = "ClientGoneError";
}

/** Reads what went wrong from an error, be it ours or that of Express and its parsers. Unknown ones are our fault. */
export function failureOf(error: unknown): Failure {
  if (error instanceof RequestError) return error;
  if (error instanceof ClientGoneError) return { kind: "clientGone" };
  if (error instanceof UnavailableError) return { kind: "unavailable" };
  const status = error instanceof Error && "status" in error ? Number(error.status) : 500;
  if (status >= 400 && status < 500)
    return { kind: unreadable.get(status) ?? "badRequest", message: "the request can't be read" };
  return { kind: "failed" };
}

/** What Express, its parsers and its server of files mean by the status that they put on an error. */
const unreadable = new Map<number, FailureKind>([
  [412, "preconditionFailed"],
  [413, "tooLarge"],
  [415, "unsupported"],
  [416, "badRange"],
]);

/** Why the service can't start: every fault that was found, one line each. */
export class StartError extends Error {
  override readonly name = "StartError";

  readonly faults: string[];

  constructor(faults: string[]) {
    super(faults.join("\n"));
    this.faults = faults;
  }
}
