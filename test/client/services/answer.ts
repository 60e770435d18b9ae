import { vi } from "vitest";

/** Answers every call in place of the services, until `vi.unstubAllGlobals()`. */
export function answer(response: Response) {
  const fetched = vi.fn<typeof fetch>(async () => response.clone());
  vi.stubGlobal("fetch", fetched);
  return fetched;
}
