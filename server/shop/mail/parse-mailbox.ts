import addressparser from "nodemailer/lib/addressparser";

/** Splits a mail address from the name before it. */
export function parseMailbox(mailbox: string): { name: string; address: string } {
  const [parsed] = addressparser(mailbox);
  return { name: parsed?.name ?? "", address: parsed?.address ?? "" };
}
