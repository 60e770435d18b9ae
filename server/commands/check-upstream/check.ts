import type { AppContext } from "../../features/feature.ts";
import type { Addressee, Jar } from "./documented-call.ts";
import type { Skip } from "./findings.ts";
import type { Probe } from "./probe.ts";

/** The service that is checked, and the tools of the check. */
export interface Check extends Addressee, Probe {
  shop: Pick<AppContext, "countries" | "logger" | "texts">;
  /** Signs the test customer in at the login service. Returns undefined if that fails. */
  signIn(): Promise<Jar | undefined>;
  /** Returns whether these variables are set. If not, reports that `what` isn't checked without them. */
  has(names: readonly string[], what: string): boolean;
  skip: Skip;
}
