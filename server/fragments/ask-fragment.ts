import { RequestError } from "../errors.ts";
import type { AskedFragment, Fragment } from "./fragment.ts";

/**
 * Reads what a query asks of a fragment.
 * @throws RequestError naming each wrong parameter
 */
export function askFragment(fragment: Fragment, query: Record<string, unknown>): AskedFragment {
  const read = fragment.read(query);
  if (read.valid) return read.data;
  throw new RequestError("badRequest", read.faults.map((fault) => fault.replace(/^\//, "")).join("; "));
}
