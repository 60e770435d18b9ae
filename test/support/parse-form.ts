import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";

/** Reads the fields of a form that was posted. */
export async function parseForm(request: IncomingMessage): Promise<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(await text(request)));
}
