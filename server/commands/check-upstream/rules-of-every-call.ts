import type { Check } from "./check.ts";
import type { Call, Probe } from "./probe.ts";

/** The headers of calls that programs make, who have no page. */
export const withoutPage = { origin: undefined, "sec-fetch-site": undefined, "x-hunter-csrf": undefined };
const fromElsewhere = { origin: "https://elsewhere.example", "sec-fetch-site": "cross-site" };

/** Checks what holds for every call: that it comes from a page of the shop, if it must, and that its path knows its methods. */
export async function checkRules({ probe, operations }: Check, calls: readonly Call[]): Promise<void> {
  for (const call of calls) if (needsEvidence(call)) await checkEvidence(probe, call);
  for (const { path, parts } of new Map(calls.map((call) => [call.path, call])).values()) {
    const methods = operations.filter((operation) => operation.path === path).map(({ method }) => method);
    await checkMethods(probe, { path, parts }, methods);
  }

  function needsEvidence({ method, path }: Call): boolean {
    const operation = operations.find((operation) => operation.method === method && operation.path === path);
    return operation?.parameters?.some(({ name, required }) => name === "X-hunter-csrf" && required) ?? false;
  }
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
