export interface MailLink {
  text: string;
  /** Absolute address, as a mail has no page from which a path could start. */
  url: string;
}

/** A part of a mail's body. */
export type MailBlock =
  | { kind: "text"; text: string }
  /** The button for what the mail asks for; a mail has one at most. */
  | { kind: "button"; link: MailLink }
  | { kind: "question"; text: string; link: MailLink }
  | { kind: "voucher"; text: string; code: string; terms: string[]; conditions: MailLink };

/** All that a mail says, in its text as in its HTML. */
export interface MailContent {
  locale: string;
  subject: string;
  /** The preview of the mail that mail programs show beside the subject. */
  preheader: string;
  brand: string;
  heading: string;
  blocks: MailBlock[];
  /** Who sends it: name, address and register, and where to find more. */
  sender: { lines: string[]; links: MailLink[] };
}
