export interface MailLink {
  text: string;
  /** Absolute: a mail has no page that paths could start from. */
  url: string;
}

/** A part of a mail's body. */
export type MailBlock =
  | { kind: "text"; text: string }
  /** What the mail is for: one at most. */
  | { kind: "button"; link: MailLink }
  | { kind: "question"; text: string; link: MailLink }
  | { kind: "voucher"; text: string; code: string; terms: string[]; conditions: MailLink };

/** All that a mail says, as its text and its HTML show it. */
export interface MailContent {
  locale: string;
  subject: string;
  /** What mail programs show beside the subject. */
  preheader: string;
  brand: string;
  heading: string;
  blocks: MailBlock[];
  sender: { address: string; links: MailLink[] };
}
