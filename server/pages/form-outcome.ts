import { UnavailableError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { Failed } from "../services/failed.ts";

/**
 * Waits for what a form asks of a service. That the service isn't available is one more outcome of a form, which shows
 * itself again with what was entered; the log has the cause.
 * @param message - what the log says then
 */
export async function outcomeOf<Result>(
  call: Promise<Result>,
  logger: Logger,
  message: string,
): Promise<Result | Failed<"unavailable">> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    logger.error({ err: error }, message);
    return { status: "unavailable" };
  }
}
