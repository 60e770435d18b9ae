import type { CSSProperties, ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { darkColors, paint } from "./mail-colors.ts";
import type { MailBlock, MailContent, MailLink } from "./mail-content.ts";

/** Styles, with those that only Outlook knows. */
type MailStyle = CSSProperties & { msoHide?: "all"; msoPaddingAlt?: string };

/** Width of the column in pixels; on a narrower screen it is as wide as that. */
const columnWidth = 600;

const font = { fontFamily: "Segoe UI, Roboto, Helvetica, Arial, sans-serif", fontSize: 16, lineHeight: 1.5 };

const styles = {
  body: { margin: 0, padding: 0 },
  preheader: { display: "none", maxHeight: 0, overflow: "hidden", msoHide: "all" },
  page: { padding: "24px 12px" },
  column: { ...font, maxWidth: columnWidth, margin: "0 auto" },
  brand: { margin: "0 0 16px", fontSize: 20, lineHeight: 1.25, fontWeight: "bold" },
  card: { padding: "24px 20px 12px", borderWidth: 1, borderStyle: "solid", borderRadius: 6 },
  heading: { margin: "0 0 16px", fontSize: 24, lineHeight: 1.25 },
  text: { margin: "0 0 16px" },
  apart: { margin: "24px 0" },
  button: { borderRadius: 24, textAlign: "center", msoPaddingAlt: "12px 24px" },
  buttonLink: {
    display: "inline-block",
    padding: "12px 24px",
    borderRadius: 24,
    fontWeight: "bold",
    textDecoration: "none",
  },
  link: { textDecoration: "underline" },
  voucher: { padding: 16, borderWidth: 1, borderStyle: "dashed", borderRadius: 6, textAlign: "center" },
  code: { margin: "8px 0", fontFamily: "Courier New, monospace", fontSize: 24, lineHeight: 1.25, fontWeight: "bold" },
  term: { margin: 0 },
  sender: { margin: "16px 0 0", fontSize: 14 },
} satisfies Record<string, MailStyle>;

/**
 * Shows a mail as HTML, without anything to load. Outlook lays tables out and little else, and mail programs differ in
 * what they leave of a style sheet: so all but the dark colours stands on the elements.
 */
export function MailDocument(content: MailContent) {
  const { locale, subject, preheader } = content;
  return (
    <html lang={locale}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        {/* Dates and addresses become no links of a phone, which would have colours of its own. */}
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no" />
        <title>{subject}</title>
        <style>{darkColors}</style>
      </head>
      <body {...paint("page", styles.body)}>
        {/* Webmail drops the elements above, and may itself be in a language of another direction. */}
        <div lang={locale} dir="ltr">
          <div style={styles.preheader}>{preheader}</div>
          <Box {...paint("page", styles.page)}>
            {/* biome-ignore lint/security/noDangerouslySetInnerHtml: React writes no comments */}
            <div dangerouslySetInnerHTML={{ __html: inColumn(renderToStaticMarkup(<Column {...content} />)) }} />
          </Box>
        </div>
      </body>
    </html>
  );
}

/** Puts markup into the column. Outlook knows no greatest width, and gets a table of that width, which others skip. */
function inColumn(markup: string): string {
  const start = `<table role="presentation" width="${columnWidth}" align="center" cellpadding="0" cellspacing="0" border="0"><tr><td>`;
  return `<!--[if mso]>${start}<![endif]-->${markup}<!--[if mso]></td></tr></table><![endif]-->`;
}

function Column({ brand, heading, blocks, sender }: MailContent) {
  return (
    <div style={styles.column}>
      <p {...paint("brand", styles.brand)}>{brand}</p>
      <Box {...paint("card", styles.card)}>
        <h1 {...paint("heading", styles.heading)}>{heading}</h1>
        {blocks.map((block) => (
          <Block key={JSON.stringify(block)} {...block} />
        ))}
      </Box>
      <p style={styles.sender}>
        {sender.lines.map((line) => (
          <span key={line}>
            {line}
            <br />
          </span>
        ))}
        {sender.links.map((link, index) => (
          <span key={link.url}>
            {index > 0 && " · "}
            <TextLink {...link} />
          </span>
        ))}
      </p>
    </div>
  );
}

interface BoxProps {
  className: string;
  style: MailStyle;
  /** Whether the box is no wider than what it holds. */
  isNarrow?: boolean;
  children: ReactNode;
}

/** A box with colours and padding. Each has the font, which old engines don't pass on to what stands in a table. */
function Box({ className, style, isNarrow, children }: BoxProps) {
  return (
    <table role="presentation" width={isNarrow ? undefined : "100%"} cellPadding={0} cellSpacing={0} border={0}>
      <tbody>
        <tr>
          <td className={className} style={{ ...font, ...style }}>
            {children}
          </td>
        </tr>
      </tbody>
    </table>
  );
}

function Block(block: MailBlock) {
  switch (block.kind) {
    case "text":
      return <p style={styles.text}>{block.text}</p>;
    case "button":
      return (
        <div style={styles.apart}>
          <Box {...paint("button", styles.button)} isNarrow>
            <a {...paint("button", styles.buttonLink)} href={block.link.url}>
              {block.link.text}
            </a>
          </Box>
        </div>
      );
    case "question":
      return (
        <p style={styles.text}>
          {block.text} <TextLink {...block.link} />
        </p>
      );
    case "voucher":
      return (
        <div style={styles.apart}>
          <Box {...paint("voucher", styles.voucher)}>
            <p style={styles.term}>{block.text}</p>
            <p style={styles.code}>{block.code}</p>
            {block.terms.map((term) => (
              <p key={term} style={styles.term}>
                {term}
              </p>
            ))}
            <p style={styles.term}>
              <TextLink {...block.conditions} />
            </p>
          </Box>
        </div>
      );
  }
}

function TextLink({ text, url }: MailLink) {
  return (
    <a {...paint("link", styles.link)} href={url}>
      {text}
    </a>
  );
}
