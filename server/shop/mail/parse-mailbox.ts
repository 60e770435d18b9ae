import addressparser from "nodemailer/lib/addressparser";

/** Splits an address such as `Shop <news@shop.example>` into name and address. */
export function parseMailbox(mailbox: string): { name: string; address: string } {
  const [parsed] = addressparser(mailbox);
  return { name: parsed?.name ?? "", address: parsed?.address ?? "" };
}
