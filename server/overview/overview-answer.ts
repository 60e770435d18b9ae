import { isIPv6, type Socket } from "node:net";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { OverviewAnswer } from "../../client/overview/overview-props.ts";
import { type Milliseconds, second } from "../../client/rules/time.ts";

/** Longest time for the answer. */
const deadline: Milliseconds = 2 * second;

/**
 * Asks the service itself, at the address at which it was just reached, so that the answer is the one others get.
 * @param socket - the socket of the request for the overview
 * @param path - the path of a validated selection, never one from the request
 * @returns the answer, or why there is none
 */
export async function fetchAnswer({ localAddress = "", localPort }: Socket, path: string): Promise<OverviewAnswer> {
  const host = isIPv6(localAddress) ? `[${localAddress}]` : localAddress;
  try {
    const response = await fetch(`http://${host}:${localPort}${path}`, {
      redirect: "manual",
      signal: AbortSignal.timeout(deadline),
    });
    const body = Buffer.from(await response.arrayBuffer());
    return {
      status: `${response.status} ${response.statusText}`,
      headers: [...response.headers],
      body: body.toString(),
      bytes: body.length,
      gzipBytes: (await promisify(gzip)(body)).length,
    };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}
