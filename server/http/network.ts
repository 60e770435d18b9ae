import ipaddr from "ipaddr.js";

/** How many leading bits the addresses of a network share. */
export type PrefixLength = 32 | 48 | 56 | 64;

export interface Network {
  name: string;
  bits: PrefixLength;
}

/** What providers give to one customer: from a /64 for a line to a /48 for a company (RFC 6177, RIPE-690). */
const lengthsOfIpv6 = [64, 56, 48] as const;

/**
 * Finds the networks that an address stands for, the narrowest first: the IPv4 address itself, or the /64 of IPv6 with
 * the wider ones around it, which may be one customer's, too.
 * @param address - an address from a socket or a header
 * @returns none when the text is no address
 */
export function networksOf(address: string | undefined): Network[] {
  if (address === undefined || !ipaddr.isValid(address)) return [];
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return [{ name: parsed.toString(), bits: 32 }];
  const bytes = parsed.toByteArray();
  return lengthsOfIpv6.map((bits) => ({ name: `${bytes.slice(0, bits / 8).join(".")}/${bits}`, bits }));
}

/** Finds the narrowest network of an address. */
export function networkOf(address: string | undefined): string | undefined {
  return networksOf(address)[0]?.name;
}

/** The ranges of which operators have their own networks. */
const ownRanges = new Set<string>(["private", "uniqueLocal", "loopback", "linkLocal", "carrierGradeNat"]);
/** How many bits of a public address a log may have: so few that nobody can tell whose it is. */
const loggedBits = { ipv4: 24, ipv6: 48 };

/**
 * Gives an address as the log may have it: in full where it is one of the operator's own networks, else the network
 * or the range around it, as it may be a visitor's.
 * @param address - that of a socket, which is gone where the client is
 */
export function loggedAddressOf(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return "unknown";
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  if (ownRanges.has(range)) return parsed.toString();
  // In others, such as 6to4, a part of the address may be a visitor's own.
  if (range !== "unicast") return range;
  const bits = loggedBits[parsed.kind()];
  const family = parsed instanceof ipaddr.IPv6 ? ipaddr.IPv6 : ipaddr.IPv4;
  return `${family.networkAddressFromCIDR(`${parsed}/${bits}`)}/${bits}`;
}
