import ipaddr from "ipaddr.js";

export interface Network {
  name: string;
  /** The number of leading bits that its addresses share. */
  bits: 32 | 48 | 56 | 64;
}

/**
 * The prefixes that providers assign to one customer: from a /64 for a line to a /48 for a company (RFC 6177,
 * RIPE-690).
 */
const ipv6Prefixes = [64, 56, 48] as const;

/**
 * IPv6 addresses that represent IPv4 addresses in their last 32 bits: mapped, as sockets show them (RFC 4291), and
 * translated by NAT64 and SIIT (RFC 6052, RFC 7915). Otherwise all of IPv4 would share one network in each range.
 */
const translatedRanges = ["::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96"].map((range) =>
  ipaddr.IPv6.parseCIDR(range),
);

/** The network of all callers without an address. */
const unknownNetwork: Network = { name: "unknown", bits: 32 };

/**
 * Returns the networks of an address, the narrowest first: an IPv4 address itself, or the IPv6 networks that may belong
 * to one customer.
 */
export function networksOf(address: string | undefined): Network[] {
  if (address === undefined || !ipaddr.isValid(address)) return [unknownNetwork];
  const parsed = ipaddr.process(address);
  const bytes = parsed.toByteArray();
  if (!(parsed instanceof ipaddr.IPv6)) return [{ name: bytes.join("."), bits: 32 }];
  if (translatedRanges.some((range) => parsed.match(range))) return [{ name: bytes.slice(-4).join("."), bits: 32 }];
  return ipv6Prefixes.map((bits) => ({ name: `${bytes.slice(0, bits / 8).join(".")}/${bits}`, bits }));
}

/** Returns the name of the widest network of an address. */
export function networkOf(address: string | undefined): string {
  return (networksOf(address).at(-1) ?? unknownNetwork).name;
}
