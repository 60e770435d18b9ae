import ipaddr from "ipaddr.js";

/**
 * Finds the network that an address stands for: the IPv4 address itself, or the /64 of IPv6 that a provider gives to
 * one customer.
 * @param address - an address from a socket or a header
 * @returns undefined when the text is no address
 */
export function networkOf(address: string | undefined): string | undefined {
  if (address === undefined || !ipaddr.isValid(address)) return undefined;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return `${parsed.toByteArray().slice(0, 8).join(".")}/64`;
}
