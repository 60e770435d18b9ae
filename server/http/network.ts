import ipaddr from "ipaddr.js";

/**
 * The network that an address stands for: one customer of a provider has an IPv4 address, or a /64 of IPv6.
 * @param address - of a socket or a header
 * @returns undefined when it is none
 */
export function networkOf(address: string | undefined): string | undefined {
  if (address === undefined || !ipaddr.isValid(address)) return undefined;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return `${parsed.toByteArray().slice(0, 8).join(".")}/64`;
}
