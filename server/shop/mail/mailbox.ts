/** The mailbox behind an address, whose capitals don't count. For limits alone, not to send to. */
export function mailboxOf(address: string): string {
  return address.toLowerCase();
}
