import type { Request } from "express";
import { isSignedIn } from "../../client/rules/is-signed-in.ts";
import { isTold } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { Customer, Identify } from "./customer-service.ts";

/** The session of somebody who is signed in. */
export interface Session {
  /** Whose session it is; undefined where a real login service alone knows. */
  customer?: Customer;
}

/** Tells whether somebody is signed in; undefined when nobody is. */
export type SessionOf = (request: Request) => Promise<Session | undefined>;

/**
 * Creates the function by which pages greet who is signed in. When that can't be found out, it is logged, and the page
 * is shown as everybody sees it.
 * @param identify - undefined where a real login service keeps the sessions: then only their clock tells of them
 */
export function createSessionOf(identify: Identify | undefined, logger: Logger): SessionOf {
  return async (request) => {
    if (!isSignedIn(request.cookies.LoginToken)) return undefined;
    if (!identify) return {};
    try {
      const customer = await identify(request);
      return customer && { customer };
    } catch (error) {
      if (!isTold(error)) logger.warn({ err: error }, "the service could not find out who is signed in");
      return undefined;
    }
  };
}
