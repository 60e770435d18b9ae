import type { AppContext } from "../../features/feature.ts";
import type { Operation, ServiceDocument } from "../../upstream/service-documents.ts";
import type { Addressee, Jar } from "./documented-call.ts";
import type { Ask } from "./probe.ts";

/** The service that is checked, and the tools of the check. */
export interface Check extends Addressee {
  ask: Ask;
  document: ServiceDocument;
  /** The documented calls that a real service has. */
  operations: readonly Operation[];
  shop: Pick<AppContext, "countries" | "logger" | "texts">;
  /** Signs the test customer in at the login service. Returns undefined if that fails. */
  signIn(): Promise<Jar | undefined>;
  /** Returns whether these variables are set. If not, reports that `what` isn't checked without them. */
  has(names: readonly string[], what: string): boolean;
  /** Reports that `what` isn't checked, and why. */
  skip(what: string, why: string): void;
}
