import type { ReactNode } from "react";
import type { FooterLink } from "./footer-props.ts";

interface SiteLinkProps {
  link: FooterLink;
  className?: string;
  children?: ReactNode;
  "data-consent"?: boolean;
}

/** Tells whether an address leaves the site. */
export function isExternal(url: string): boolean {
  return url.startsWith("http") || url.startsWith("mailto");
}

/** Attributes of a link's target: an external one opens a new tab and sends no referrer. */
export function linkTarget(url: string) {
  return isExternal(url) ? { href: url, target: "_blank", rel: "noopener noreferrer" } : { href: url };
}

/**
 * A link of the footer.
 * @param link - address and text; nothing is rendered for a link without text
 * @param children - stands in front of the text, for example an icon
 */
export function SiteLink({ link, children, ...attributes }: SiteLinkProps) {
  if (!link.text) return null;
  return (
    <a {...linkTarget(link.url)} {...attributes}>
      {children}
      {link.text}
      <NewTabHint text={link.newTabHint} />
    </a>
  );
}

/** Tells screen readers that a link opens a new tab. */
export function NewTabHint({ text }: { text: string | undefined }) {
  return text ? <span className="sf-visually-hidden"> ({text})</span> : null;
}
