/** Gives the mailbox behind an address, in which capitals don't count. It is for limits alone, not to send to. */
export function mailboxOf(address: string): string {
  return address.toLowerCase();
}
