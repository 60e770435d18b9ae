import type { AppContext } from "../../features/feature.ts";
import type { Operation } from "../../upstream/service-documents.ts";
import type { Jar, Probe } from "./probe.ts";

/** What the check of a service works with. */
export interface Check {
  probe: Probe;
  /** The documented calls of the service. */
  operations: readonly Operation[];
  /** The values of the variables of the test accounts that are set. */
  variables: Readonly<Record<string, string>>;
  shop: Pick<AppContext, "countries" | "logger" | "texts">;
  /** Signs the test customer in at the login service. Returns undefined if that fails. */
  signIn(): Promise<Jar | undefined>;
  /** Returns whether these variables are set; if not, says that this isn't checked without them. */
  has(names: readonly string[], what: string): boolean;
  /** Says that this isn't checked, and why. */
  leaveOut(what: string, why: string): void;
}
