import type { CSSProperties, ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import type { Brand, PaletteColor } from "../../../brand/brand.ts";
import type { MailBlock, MailContent, MailLink } from "./mail-content.ts";

type Colors<Value = string> = { [Name in "backgroundColor" | "borderColor" | "color"]?: Value };

/**
 * The brand's colours for each part of an email. Text must be readable on every part that contains it, on light and
 * dark screens.
 */
const parts = {
  page: { backgroundColor: "surfaceSoft", color: "inkSoft" },
  brand: { color: "accentDark" },
  card: { backgroundColor: "surface", borderColor: "line", color: "ink" },
  heading: { color: "accentDark" },
  link: { color: "accent" },
  button: { backgroundColor: "accent", color: "onAccent" },
  voucher: { backgroundColor: "surfaceStrong", borderColor: "fieldLine", color: "ink" },
} satisfies Record<string, Colors<PaletteColor>>;

/** A radius of more than half a button's height changes nothing, but some mail programs draw it wrongly. */
const roundest = 24;

type MailLook = ReturnType<typeof createMailLook>;

/** Creates the brand's look of emails. */
export function createMailLook({ colors, mail, radius }: Brand) {
  const dark = Object.entries(parts).map(([part, fields]) => `.${part} { ${declareOver(pick(fields, mail.dark))} }`);
  return {
    fontFamily: mail.stack,
    /** Adds a part's light colours to an element's style, and the class for its dark colours. */
    paint<Style extends object>(part: keyof typeof parts, style: Style) {
      return { className: part, style: { ...style, ...pick(parts[part], colors) } };
    },
    /** The style sheet with the dark colours. Mail programs that remove it show the light ones. */
    darkColors: `@media (prefers-color-scheme: dark) { ${dark.join(" ")} }`,
    /** The radius of round corners, in pixels. */
    radius: { box: radius.box, button: Math.min(radius.button, roundest) },
  };
}

function pick(fields: Colors<PaletteColor>, palette: Readonly<Record<PaletteColor, string>>): Colors {
  return Object.fromEntries(Object.entries(fields).map(([property, field]) => [property, palette[field]]));
}

/** Writes declarations that override the inline light colours. */
function declareOver(colors: Colors): string {
  return Object.entries(colors)
    .map(([property, value]) => `${property.replace("Color", "-color")}: ${value} !important;`)
    .join(" ");
}

/** Styles, including Outlook's own. */
type MailStyle = CSSProperties & { msoHide?: "all"; msoPaddingAlt?: string };

/** Maximum width of the column in pixels. */
const columnWidth = 600;

const font = { fontSize: 16, lineHeight: 1.5 };

const styles = {
  body: { margin: 0, padding: 0 },
  preheader: { display: "none", maxHeight: 0, overflow: "hidden", msoHide: "all" },
  page: { padding: "24px 12px" },
  column: { ...font, maxWidth: columnWidth, margin: "0 auto" },
  brand: { margin: "0 0 16px", fontSize: 20, lineHeight: 1.25, fontWeight: "bold" },
  card: { padding: "24px 20px 12px", borderWidth: 1, borderStyle: "solid" },
  heading: { margin: "0 0 16px", fontSize: 24, lineHeight: 1.25 },
  text: { margin: "0 0 16px" },
  apart: { margin: "24px 0" },
  button: { textAlign: "center", msoPaddingAlt: "12px 24px" },
  buttonLink: {
    display: "inline-block",
    padding: "12px 24px",
    fontWeight: "bold",
    textDecoration: "none",
  },
  link: { textDecoration: "underline" },
  voucher: { padding: 16, borderWidth: 1, borderStyle: "dashed", textAlign: "center" },
  code: {
    margin: "8px 0",
    fontFamily: "Courier New, monospace",
    fontSize: 24,
    lineHeight: 1.25,
    fontWeight: "bold",
    // A till's code may be longer than a line.
    wordBreak: "break-word",
  },
  term: { margin: 0 },
  sender: { margin: "16px 0 0", fontSize: 14 },
} satisfies Record<string, MailStyle>;

/**
 * Renders a mail as HTML that loads nothing. The layout uses tables, because Outlook supports little else, and inline
 * styles, because many mail programs drop style sheets.
 */
export function MailDocument({ content, look }: { content: MailContent; look: MailLook }) {
  const { locale, subject, preheader } = content;
  const column = renderToStaticMarkup(<Column content={content} look={look} />);
  return (
    <html lang={locale}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        {/* Keeps phones from turning dates and addresses into links of another colour. */}
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no" />
        <title>{subject}</title>
        <style>{look.darkColors}</style>
      </head>
      <body {...look.paint("page", styles.body)}>
        {/* Webmail removes the elements above, and may itself be in another language and direction. */}
        <div lang={locale} dir="ltr">
          <div style={styles.preheader}>{preheader}</div>
          <Box look={look} {...look.paint("page", styles.page)}>
            {/* biome-ignore lint/security/noDangerouslySetInnerHtml: React writes no comments */}
            <div dangerouslySetInnerHTML={{ __html: inColumn(column) }} />
          </Box>
        </div>
      </body>
    </html>
  );
}

/** Wraps markup in a table of fixed width for Outlook only, which doesn't support max-width. */
function inColumn(markup: string): string {
  const start = `<table role="presentation" width="${columnWidth}" align="center" cellpadding="0" cellspacing="0" border="0"><tr><td>`;
  return `<!--[if mso]>${start}<![endif]-->${markup}<!--[if mso]></td></tr></table><![endif]-->`;
}

function Column({ content, look }: { content: MailContent; look: MailLook }) {
  const { brand, heading, blocks, sender } = content;
  const { fontFamily, paint, radius } = look;
  return (
    <div style={{ fontFamily, ...styles.column }}>
      <p {...paint("brand", styles.brand)}>{brand}</p>
      <Box look={look} {...paint("card", { ...styles.card, borderRadius: radius.box })}>
        <h1 {...paint("heading", styles.heading)}>{heading}</h1>
        {blocks.map((block) => (
          <Block key={JSON.stringify(block)} block={block} look={look} />
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
            <TextLink link={link} look={look} />
          </span>
        ))}
      </p>
    </div>
  );
}

interface BoxProps {
  look: MailLook;
  className: string;
  style: MailStyle;
  /** Whether the box is only as wide as its content. */
  isNarrow?: boolean;
  children: ReactNode;
}

/** A box with colours and padding. It repeats the font, which old engines don't inherit into tables. */
function Box({ look: { fontFamily }, className, style, isNarrow, children }: BoxProps) {
  return (
    <table role="presentation" width={isNarrow ? undefined : "100%"} cellPadding={0} cellSpacing={0} border={0}>
      <tbody>
        <tr>
          <td className={className} style={{ fontFamily, ...font, ...style }}>
            {children}
          </td>
        </tr>
      </tbody>
    </table>
  );
}

function Block({ block, look }: { block: MailBlock; look: MailLook }) {
  const { paint, radius } = look;
  switch (block.kind) {
    case "text":
      return (
        <p style={styles.text}>
          {block.text}
          {block.link && " "}
          {block.link && <TextLink link={block.link} look={look} />}
        </p>
      );
    case "button":
      return (
        <div style={styles.apart}>
          <Box look={look} {...paint("button", { ...styles.button, borderRadius: radius.button })} isNarrow>
            <a {...paint("button", { ...styles.buttonLink, borderRadius: radius.button })} href={block.link.url}>
              {block.link.text}
            </a>
          </Box>
        </div>
      );
    case "voucher":
      return (
        <div style={styles.apart}>
          <Box look={look} {...paint("voucher", { ...styles.voucher, borderRadius: radius.box })}>
            <p style={styles.term}>{block.text}</p>
            <p style={styles.code}>{block.code}</p>
            {block.terms.map((term) => (
              <p key={term} style={styles.term}>
                {term}
              </p>
            ))}
            {block.conditions.map((link) => (
              <p key={link.url} style={styles.term}>
                <TextLink link={link} look={look} />
              </p>
            ))}
          </Box>
        </div>
      );
  }
}

function TextLink({ link: { text, url }, look }: { link: MailLink; look: MailLook }) {
  return (
    <a {...look.paint("link", styles.link)} href={url}>
      {text}
    </a>
  );
}
