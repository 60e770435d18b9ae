import ipaddr from "ipaddr.js";

interface Network {
  name: string;
  /** How many leading bits its addresses share. */
  bits: 32 | 48 | 56 | 64;
}

/** What providers assign to one customer: from a /64 for a line to a /48 for a company (RFC 6177, RIPE-690). */
const ipv6Prefixes = [64, 56, 48] as const;

/** The network of all callers without an address. */
const unknownNetwork: Network = { name: "unknown", bits: 32 };

/**
 * Returns the networks of an address, the narrowest first: an IPv4 address itself, or the IPv6 networks that may belong
 * to one customer.
 */
export function networksOf(address: string | undefined): Network[] {
  if (address === undefined || !ipaddr.isValid(address)) return [unknownNetwork];
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return [{ name: parsed.toString(), bits: 32 }];
  const bytes = parsed.toByteArray();
  return ipv6Prefixes.map((bits) => ({ name: `${bytes.slice(0, bits / 8).join(".")}/${bits}`, bits }));
}

/** Returns the name of the widest network of an address. */
export function networkOf(address: string | undefined): string {
  return (networksOf(address).at(-1) ?? unknownNetwork).name;
}

/** Ranges of the operator's own networks. */
const privateRanges = new Set<string>(["private", "uniqueLocal", "loopback", "linkLocal", "carrierGradeNat"]);
/** How many bits of a public address may be logged: too few to identify a person. */
const loggedBits = { ipv4: 24, ipv6: 48 };

/** Returns an address as it may be logged: in full from the operator's networks, else shortened to a network. */
export function anonymizeAddress(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return "unknown";
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  if (privateRanges.has(range)) return parsed.toString();
  // In others, such as 6to4, a part of the address may identify a visitor.
  if (range !== "unicast") return range;
  const bits = loggedBits[parsed.kind()];
  const family = parsed instanceof ipaddr.IPv6 ? ipaddr.IPv6 : ipaddr.IPv4;
  return `${family.networkAddressFromCIDR(`${parsed}/${bits}`)}/${bits}`;
}
