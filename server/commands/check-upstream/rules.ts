import type { AppContext } from "../../features/feature.ts";
import { staffCookieNames } from "../../http/cookies.ts";
import type { Operation } from "../../upstream/service-documents.ts";
import type { Call, Jar, Probe } from "./probe.ts";

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

/** The headers of staff whom no service knows. */
export const unknownStaff = { cookie: staffCookieNames.map((name) => `${name}=unknown`).join("; ") };
/** The headers of calls that programs make, without a page. */
export const withoutPage = { origin: undefined, "sec-fetch-site": undefined, "x-hunter-csrf": undefined };

const origin = "https://elsewhere.example";
/** The headers of calls that no page of the shop makes. */
const forgeries: Record<string, Record<string, string | undefined>> = {
  "without X-hunter-csrf": { "x-hunter-csrf": undefined },
  "by a page of another site": { origin, "sec-fetch-site": "cross-site" },
  "with a foreign Origin alone": { origin, "sec-fetch-site": undefined },
  "without Origin and Sec-Fetch-Site": { ...withoutPage, "x-hunter-csrf": "1" },
};

/**
 * Checks what holds for all calls of a service: that pages of other sites can't make those that change data, and that each
 * path knows its methods.
 */
export async function checkRules({ probe, operations }: Check, calls: readonly Call[]): Promise<void> {
  for (const [path, ofPath] of Map.groupBy(calls, (call) => call.path)) {
    const own = operations.filter((operation) => !operation["x-embedded-only"]);
    const documented = own.filter((operation) => operation.path === path);
    for (const call of ofPath) {
      if (!documented.some((operation) => operation.method === call.method && needsEvidence(operation))) continue;
      for (const [what, headers] of Object.entries(forgeries)) await probe({ ...call, headers }, what, 403);
    }
    const { parts } = ofPath[0] ?? {};
    const methods = documented.map(({ method }) => method);
    const asked = await probe({ method: "OPTIONS", path, parts }, "for the methods", 204);
    const refused = await probe({ method: "DELETE", path, parts }, "a wrong method", 405);
    for (const answer of [asked, refused]) {
      const allowed = answer?.headers.allow?.split(",").map((method) => method.trim().toUpperCase()) ?? [];
      if (answer && !methods.every((method) => allowed.includes(method)))
        answer.differs("Allow", methods.join(", "), answer.headers.allow ?? "missing");
    }
  }
}

function needsEvidence({ parameters = [] }: Operation): boolean {
  return parameters.some(({ name, required }) => name === "X-hunter-csrf" && required);
}
