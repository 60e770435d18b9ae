/** Longest wait for an answer, in milliseconds. */
const timeout = 15_000;

/**
 * Asks which e-mail address the shop knows of the visitor.
 * @returns undefined when it knows none, or can't be asked
 */
export async function fetchKnownEmail(): Promise<string | undefined> {
  try {
    const response = await fetch("/service/customerfrontenddata/api/v1/psdata", {
      cache: "no-store",
      credentials: "include",
      headers: { "X-hunter-csrf": "1" },
      signal: AbortSignal.timeout(timeout),
    });
    const { email }: { email?: unknown } = response.ok ? await response.json() : {};
    return typeof email === "string" ? email : undefined;
  } catch {
    return undefined;
  }
}
