/** A request that can't be answered as it asks; the caller may read the message. */
abstract class RequestError extends Error {
  abstract readonly status: number;
}

/** A request that asks for something impossible: answered with 400. */
export class BadRequestError extends RequestError {
  override readonly name: string = "BadRequestError";
  readonly status = 400;
  /** Which fields are wrong, where the caller sent several. */
  readonly fields: readonly { field: string; message: string }[];

  constructor(message: string, fields: BadRequestError["fields"] = []) {
    super(message);
    this.fields = fields;
  }
}

/** A sign-up whose e-mail address is wrong: the form shows it where the address is entered. */
export class InvalidEmailError extends BadRequestError {
  override readonly name = "InvalidEmailError";
}

/** A request of somebody who isn't known: answered with 401. */
export class UnauthorizedError extends RequestError {
  override readonly name = "UnauthorizedError";
  readonly status = 401;
}

/** A request that may come from a page of somebody else: answered with 403. */
export class ForbiddenError extends RequestError {
  override readonly name = "ForbiddenError";
  readonly status = 403;
}

/** A request for something that isn't there: answered with 404. */
export class NotFoundError extends RequestError {
  override readonly name = "NotFoundError";
  readonly status = 404;
}

/** A request with a link that nobody has got, or that has served its purpose: answered with 404. */
export class InvalidTokenError extends RequestError {
  override readonly name = "InvalidTokenError";
  readonly status = 404;
}

/** A request with a link that came too long ago: answered with 410. */
export class TokenExpiredError extends RequestError {
  override readonly name = "TokenExpiredError";
  readonly status = 410;
}

/** A request whose body is larger than it may be: answered with 413. */
export class PayloadTooLargeError extends RequestError {
  override readonly name = "PayloadTooLargeError";
  readonly status = 413;
}

/** One request too many: answered with 429. */
export class RateLimitedError extends RequestError {
  override readonly name = "RateLimitedError";
  readonly status = 429;
  /** When to try again, in seconds. */
  readonly retryAfter: number;

  constructor(message: string, retryAfter: number) {
    super(message);
    this.retryAfter = retryAfter;
  }
}

/** What a request needs can't be had at the moment: answered with 503. Its cause is for the log. */
export class UnavailableError extends Error {
  override readonly name = "UnavailableError";
  readonly status = 503;
}

/** An upstream that doesn't answer as it should. The message names it and what is wrong, nothing of what was sent. */
export class UpstreamError extends Error {
  override readonly name = "UpstreamError";
  readonly status = 503;

  /** What is wrong, such as `no answer within 2000 ms`. */
  readonly fault: string;

  constructor(upstream: string, fault: string) {
    super(`upstream ${upstream}: ${fault}`);
    this.fault = fault;
  }
}

/** A render that took longer than it may. */
export class RenderTimeoutError extends Error {
  override readonly name = "RenderTimeoutError";
  readonly status = 503;
}

/** The client left before its answer was rendered. */
export class ClientGoneError extends Error {
  override readonly name = "ClientGoneError";
  readonly status = 499;
}

/** The status an error stands for; Express and its parsers put theirs on the error, too. Unknown ones are ours: 500. */
export function statusOf(error: unknown): number {
  const status = error instanceof Error && "status" in error ? error.status : undefined;
  return typeof status === "number" && status >= 400 && status < 600 ? status : 500;
}

/** What a caller may be told of an error: our own words, never a library's. */
export function reasonOf(error: unknown): string {
  return error instanceof RequestError ? error.message : "the request can't be read";
}

/** Why the service can't start: every fault that was found, one line each. */
export class StartError extends Error {
  override readonly name = "StartError";

  readonly faults: string[];

  constructor(faults: string[]) {
    super(faults.join("\n"));
    this.faults = faults;
  }
}
