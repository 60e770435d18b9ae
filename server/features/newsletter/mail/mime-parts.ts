import { encode, wrap } from "nodemailer/lib/qp";

/** The bodies of a message, in quoted-printable. */
interface Bodies {
  plain: string;
  html: string;
}

/**
 * The longest line of a part, without a soft line break that may follow it:
 * https://www.rfc-editor.org/rfc/rfc2045#section-6.7
 */
const longestLine = 75;

/**
 * Returns the options that write a template in quoted-printable. Parts are encoded separately and joined by soft line
 * breaks, which readers remove, so that constant parts are encoded only once.
 * @param prepare - applied to a value first
 */
export function quotedPrintable(prepare = (value: string) => value) {
  const encodeText = (text: string) => wrap(encode(text.replaceAll(/\r?\n/g, "\r\n")), longestLine);
  return {
    encodeText,
    encodeValue: (value: string) => encodeText(prepare(value)),
    join: (parts: readonly string[]) => parts.filter((part) => part !== "").join("=\r\n"),
  };
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#x27;",
};

/** Escapes a text as React does, for elements and attributes. */
export function escapeMarkup(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");
}

/** Writes a message with two versions of the same content: https://www.rfc-editor.org/rfc/rfc2046#section-5.1.4 */
export function writeMultipart(headers: string, boundary: string, { plain, html }: Bodies): string {
  const part = (type: string, body: string) =>
    `--${boundary}\r\nContent-Type: text/${type}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${body}\r\n`;
  return `${headers}\r\n\r\n${part("plain", plain)}${part("html", html)}--${boundary}--\r\n`;
}
