/**
 * The mailbox behind an address, as providers see it: capitals and a tag after a plus lead to the same one. For limits
 * alone, not to send to.
 */
export function mailboxOf(address: string): string {
  const [local = "", domain = ""] = address.toLowerCase().split(/@(?=[^@]*$)/);
  return `${local.replace(/(?<=.)\+.*$/, "")}@${domain}`;
}
