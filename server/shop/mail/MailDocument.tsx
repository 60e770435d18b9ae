import type { CSSProperties } from "react";
import type { MailBlock, MailContent, MailLink } from "./mail-content.ts";

/**
 * Styles stand on the elements, as mail programs differ in what they leave of a style sheet. Text and background keep
 * the program's own colours, so that its dark mode is readable, too; only the button has both colours of its own.
 */
const styles = {
  page: { margin: 0, fontFamily: "Arial, Helvetica, sans-serif", fontSize: 16, lineHeight: 1.5 },
  column: { maxWidth: 552, margin: "0 auto", padding: 24, overflowWrap: "anywhere" },
  preheader: { display: "none", maxHeight: 0, overflow: "hidden" },
  brand: { margin: "0 0 32px", fontSize: 20, fontWeight: "bold" },
  heading: { margin: "0 0 16px", fontSize: 24, lineHeight: 1.25 },
  text: { margin: "0 0 16px" },
  button: {
    display: "inline-block",
    margin: "8px 0 24px",
    padding: "12px 24px",
    borderRadius: 6,
    background: "#6f4a2f",
    color: "#ffffff",
    fontWeight: "bold",
    textDecoration: "none",
  },
  link: { color: "inherit", textDecoration: "underline" },
  voucher: { margin: "0 0 16px", padding: 16, border: "1px solid #857a72", borderRadius: 6, textAlign: "center" },
  code: { margin: "8px 0", fontFamily: "Courier New, monospace", fontSize: 24, fontWeight: "bold" },
  sender: { margin: "32px 0 0", padding: "16px 0 0", borderTop: "1px solid #857a72", fontSize: 14 },
} satisfies Record<string, CSSProperties>;

/** Shows a mail as HTML: one column that fits a phone, without anything to load. */
export function MailDocument({ locale, subject, preheader, brand, heading, blocks, sender }: MailContent) {
  return (
    <html lang={locale}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <title>{subject}</title>
      </head>
      <body style={styles.page}>
        <div style={styles.preheader}>{preheader}</div>
        <div style={styles.column}>
          <p style={styles.brand}>{brand}</p>
          <h1 style={styles.heading}>{heading}</h1>
          {blocks.map((block) => (
            <Block key={JSON.stringify(block)} {...block} />
          ))}
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
      </body>
    </html>
  );
}

function Block(block: MailBlock) {
  switch (block.kind) {
    case "text":
      return <p style={styles.text}>{block.text}</p>;
    case "button":
      return (
        <a style={styles.button} href={block.link.url}>
          {block.link.text}
        </a>
      );
    case "question":
      return (
        <p style={styles.text}>
          {block.text} <TextLink {...block.link} />
        </p>
      );
    case "voucher":
      return (
        <div style={styles.voucher}>
          <div>{block.text}</div>
          <div style={styles.code}>{block.code}</div>
          {block.terms.map((term) => (
            <div key={term}>{term}</div>
          ))}
          <TextLink {...block.conditions} />
        </div>
      );
  }
}

function TextLink({ text, url }: MailLink) {
  return (
    <a style={styles.link} href={url}>
      {text}
    </a>
  );
}
