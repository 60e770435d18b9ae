import { track } from "../host-page/track.ts";

/**
 * Tells analytics of a sign-up.
 * @param origin - where the form stood: `origin:originAddition`
 */
export function trackSignUp(origin: string): void {
  track({ event: "sign_up", subject: "newsletter", origin, type: "ga4", emitter: "newsletter service" });
}
