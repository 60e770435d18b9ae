/**
 * The kinds of failures of a request, by fault of its sender or of ours. One table per audience says what each is
 * answered with: http/program-answers.ts for programs, pages/page-answers.ts for people, fragments/composer-answers.ts
 * for composers.
 */
export type FailureKind =
  /** The request isn't one that is taken here: a parameter, a field or its body is wrong. */
  | "badRequest"
  /** What somebody has entered breaks the rules of a form. */
  | "invalid"
  /** The e-mail address that somebody has entered is wrong. */
  | "invalidEmail"
  /** Nobody is signed in, or can be with these credentials. */
  | "unauthorized"
  /** The request may come from a page of somebody else. */
  | "forbidden"
  /** There is nothing at this address. */
  | "notFound"
  /** There is something at this address, but not for this method. The header Allow says for which. */
  | "wrongMethod"
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
  /** The caller has sent too many requests. */
  | "rateLimited"
  /** The client left before its answer was complete. */
  | "clientGone"
  /** What the request needs can't be had at the moment. */
  | "unavailable"
  /** The service has a fault of its own. */
  | "failed";

/** A field that is wrong, and what it has to be. */
export interface FieldFault {
  field: string;
  message: string;
}

/** What went wrong with a request, as an audience may be told. */
export interface Failure {
  kind: FailureKind;
  /** What the caller is told, in our own words, never a library's; undefined where the fault is ours. */
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

/** Says that what a request needs can't be had at the moment. Its cause is for the log. */
export class UnavailableError extends Error {
  override readonly name: string = "UnavailableError";
}

/** Says that an upstream doesn't answer as it should. The message holds no part of what was sent. */
export class UpstreamError extends UnavailableError {
  override readonly name = "UpstreamError";

  /** What is wrong, such as `no answer within 2000 ms`. */
  readonly fault: string;
  /** Whether the upstream may be down; false where it isn't asked, or answers something else than is taken. */
  readonly mayBeDown: boolean;

  constructor(upstream: string, fault: string, { mayBeDown = true } = {}) {
    super(`upstream ${upstream}: ${fault}`);
    this.fault = fault;
    this.mayBeDown = mayBeDown;
  }
}

/** Says that a render took longer than it may. */
export class RenderTimeoutError extends UnavailableError {
  override readonly name = "RenderTimeoutError";
}

/** Says that the client left before its answer was complete. */
export class ClientGoneError extends Error {
  override readonly name = "ClientGoneError";
}

const told = new WeakSet<object>();

/** Notes that the log tells of an error as a part of an outage (server/outage.ts). */
export function noteTold(error: unknown): void {
  if (error instanceof Error) told.add(error);
}

/** Tells whether an error, or what has caused it, is part of an outage of which the log tells. */
export function isTold(error: unknown): boolean {
  return error instanceof Error && (told.has(error) || isTold(error.cause));
}

/** Names an error by its code or its name alone, as its message may hold something of a visitor, or of an answer. */
export function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

/** Reads what went wrong from an error, be it ours or that of Express and its parsers. Unknown ones are our fault. */
export function failureOf(error: unknown): Failure {
  if (error instanceof RequestError) return error;
  if (error instanceof ClientGoneError) return { kind: "clientGone" };
  if (error instanceof UnavailableError || isTold(error)) return { kind: "unavailable" };
  const status = error instanceof Error && "status" in error ? Number(error.status) : 500;
  if (status >= 400 && status < 500)
    return { kind: unreadable.get(status) ?? "badRequest", message: "the request can't be read" };
  return { kind: "failed" };
}

/** The kinds of failures that Express, its parsers and its server of files mean by the status of an error. */
const unreadable = new Map<number, FailureKind>([
  [412, "preconditionFailed"],
  [413, "tooLarge"],
  [415, "unsupported"],
  [416, "badRange"],
]);

/** Says why the service can't start: every fault that was found, one line each. */
export class StartError extends Error {
  override readonly name = "StartError";

  readonly faults: string[];

  constructor(faults: string[]) {
    super(faults.join("\n"));
    this.faults = faults;
  }
}
