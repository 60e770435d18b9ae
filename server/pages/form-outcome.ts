import { isTold, UnavailableError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { Failed } from "../services/failed.ts";

/**
 * Waits for what a form asks of a service. When the service isn't available, the cause is logged, and the form shows
 * itself again with what was entered.
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
    if (!isTold(error)) logger.error({ err: error }, message);
    return { status: "unavailable" };
  }
}
