import ipaddr from "ipaddr.js";

/** Ranges of the operator's own networks. */
const privateRanges = new Set<string>(["private", "uniqueLocal", "loopback", "linkLocal", "carrierGradeNat"]);
/** The number of bits of a public address that may be logged: too few to identify a person. */
const loggedBits = { ipv4: 24, ipv6: 48 };

/**
 * Returns an address as it may be logged: in full if it is in the operator's networks, otherwise shortened to a
 * network.
 */
export function anonymizeAddress(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return "unknown";
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  if (privateRanges.has(range)) return parsed.toString();
  // In other ranges, such as 6to4, part of the address may identify a visitor.
  if (range !== "unicast") return range;
  const bits = loggedBits[parsed.kind()];
  const family = parsed instanceof ipaddr.IPv6 ? ipaddr.IPv6 : ipaddr.IPv4;
  return `${family.networkAddressFromCIDR(`${parsed}/${bits}`)}/${bits}`;
}
