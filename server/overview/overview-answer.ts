import { isIPv6, type Socket } from "node:net";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { OverviewAnswer } from "../../client/overview/overview-props.ts";

const deadline = 2_000;

/**
 * Asks the service itself, over the address at which it was just reached, so that the answer is the one others get.
 * @param socket - of the request that wants to know
 * @param path - of a validated selection, never of the request
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
