/** A request that asks for something impossible: answered with 400. */
export class BadRequestError extends Error {
  override readonly name = "BadRequestError";
  readonly status = 400;
  /** Which fields are wrong, where the caller sent several. */
  readonly fields: readonly { field: string; message: string }[];

  constructor(message: string, fields: BadRequestError["fields"] = []) {
    super(message);
    this.fields = fields;
  }
}

/** A request for something that isn't there: answered with 404. */
export class NotFoundError extends Error {
  override readonly name = "NotFoundError";
  readonly status = 404;
}

/** A request whose body is larger than it may be: answered with 413. */
export class PayloadTooLargeError extends Error {
  override readonly name = "PayloadTooLargeError";
  readonly status = 413;
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
  const own = error instanceof BadRequestError || error instanceof NotFoundError;
  return own ? error.message : "the request can't be read";
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
