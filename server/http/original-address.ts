import { BlockList, isIP, isIPv6 } from "node:net";
import type { Request } from "express";

/**
 * Finds the network address that a call of the newsletter service comes from. A back-office server that calls for a
 * visitor names the visitor's in X-Original-Address; from every other caller the header is ignored.
 */
export type OriginalAddressOf = (request: Request) => string | undefined;

/**
 * Creates what finds the addresses (test/server/http/original-address.test.ts).
 * @param believed - addresses or CIDRs of the callers that are believed
 */
export function createOriginalAddressOf(believed: readonly string[]): OriginalAddressOf {
  const callers = new BlockList();
  for (const entry of believed) {
    const [address = "", prefix] = entry.split("/");
    callers.addSubnet(address, Number(prefix ?? (isIPv6(address) ? 128 : 32)), familyOf(address));
  }
  return (request) => {
    const { ip = "" } = request;
    const named = request.get("X-Original-Address")?.trim() ?? "";
    return isIP(named) && callers.check(ip, familyOf(ip)) ? named : request.ip;
  };
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIPv6(address) ? "ipv6" : "ipv4";
}
