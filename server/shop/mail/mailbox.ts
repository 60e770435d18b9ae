/** Domains whose mailboxes have one name with dots and without: https://support.google.com/mail/answer/7436150 */
const dotless = /^(.+)@(?:gmail|googlemail)\.com$/;

/**
 * Gives the mailbox behind an address, in which neither capitals nor a tag count: mail to `ada+shop@` arrives at `ada@`
 * (RFC 5233). It is for limits alone, not to send to.
 */
export function mailboxOf(address: string): string {
  const mailbox = address.toLowerCase().replace(/^([^+]+)\+[^@]*@/, "$1@");
  const [, name] = dotless.exec(mailbox) ?? [];
  return name === undefined ? mailbox : `${name.replaceAll(".", "")}@gmail.com`;
}
