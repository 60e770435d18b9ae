import type { Operation } from "../../upstream/service-documents.ts";
import type { Check } from "./check.ts";
import type { Call, Probe } from "./probe.ts";

/** The headers of calls that programs make, without a page. */
export const withoutPage = { origin: undefined, "sec-fetch-site": undefined, "x-hunter-csrf": undefined };
const fromElsewhere = { origin: "https://elsewhere.example", "sec-fetch-site": "cross-site" };

/**
 * Checks what holds for all calls of a service: that pages of other sites can't make those that change data, and that each
 * path knows its methods.
 */
export async function checkRules({ probe, operations }: Check, calls: readonly Call[]): Promise<void> {
  for (const [path, ofPath] of Map.groupBy(calls, (call) => call.path)) {
    const documented = operations.filter((operation) => operation.path === path);
    const guarded = documented.filter(needsEvidence).map(({ method }) => method);
    for (const call of ofPath) if (guarded.includes(call.method)) await checkEvidence(probe, call);
    await checkMethods(
      probe,
      { path, parts: ofPath[0]?.parts },
      documented.map(({ method }) => method),
    );
  }
}

function needsEvidence({ parameters = [] }: Operation): boolean {
  return parameters.some(({ name, required }) => name === "X-hunter-csrf" && required);
}

async function checkEvidence(probe: Probe, call: Call): Promise<void> {
  await probe({ ...call, headers: { "x-hunter-csrf": undefined } }, "without X-hunter-csrf", 403);
  await probe({ ...call, headers: fromElsewhere }, "by a page of another site", 403);
  await probe(
    { ...call, headers: { ...fromElsewhere, "sec-fetch-site": undefined } },
    "with a foreign Origin alone",
    403,
  );
  await probe({ ...call, headers: { ...withoutPage, "x-hunter-csrf": "1" } }, "without Origin and Sec-Fetch-Site", 403);
}

async function checkMethods(
  probe: Probe,
  { path, parts }: Pick<Call, "path" | "parts">,
  methods: readonly string[],
): Promise<void> {
  const asked = await probe({ method: "OPTIONS", path, parts }, "for the methods", 204);
  const refused = await probe({ method: "DELETE", path, parts }, "a wrong method", 405);
  for (const answer of [asked, refused]) {
    const allowed = answer?.headers.allow?.split(",").map((method) => method.trim().toUpperCase()) ?? [];
    if (answer && !methods.every((method) => allowed.includes(method)))
      answer.differs("Allow", methods.join(", "), answer.headers.allow ?? "missing");
  }
}
