import { timeout } from "./call-service.ts";

/** Tells whether the page where staff sign in is there: a real preview service may have its own elsewhere. */
export async function hasStaffLogin(): Promise<boolean> {
  try {
    return (await fetch("/preview", { method: "HEAD", signal: AbortSignal.timeout(timeout) })).ok;
  } catch {
    return false;
  }
}
