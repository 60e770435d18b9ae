import type outbox from "../../locales/en/outbox.json";

/** Gives a text of the page about mails. */
export type OutboxText = (key: keyof typeof outbox) => string;

/** What the page about mails shows: all of them and, where its address names one, that mail. */
export interface OutboxProps {
  text: OutboxText;
  styles: string[];
  scripts: string[];
  mails: ListedMail[];
  shown: ShownMail | undefined;
}

/** A mail in the list. */
export interface ListedMail {
  /** Address of the page that shows it. */
  url: string;
  /** Empty where nothing is kept of what the mail says. */
  subject: string;
  /** The language of the mail. */
  locale: string;
  recipient: string;
  site: string;
  state: string;
  /** The time in words, and as machines read it. */
  time: { text: string; dateTime: string };
}

export interface ShownMail extends ListedMail {
  /** Undefined where nothing is kept of what the mail says. */
  message: ShownMessage | undefined;
}

export interface ShownMessage {
  /** Address of the mail as HTML. */
  url: string;
  text: string;
  headers: { name: string; value: string }[];
}
