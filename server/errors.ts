/** A request that asks for something impossible: answered with 400. */
export class BadRequestError extends Error {
  override readonly name = "BadRequestError";
  readonly status = 400;
}

/** A request for something that isn't there: answered with 404. */
export class NotFoundError extends Error {
  override readonly name = "NotFoundError";
  readonly status = 404;
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

/** Why the service can't start: every fault that was found, one line each. */
export class StartError extends Error {
  override readonly name = "StartError";

  readonly faults: string[];

  constructor(faults: string[]) {
    super(faults.join("\n"));
    this.faults = faults;
  }
}
