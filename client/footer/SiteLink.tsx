import type { ReactNode } from "react";
import { NewTabHint } from "../links/NewTabHint.tsx";
import { linkTarget } from "../rules/link-target.ts";
import type { FooterLink } from "./footer-props.ts";

interface SiteLinkProps {
  link: FooterLink;
  className?: string;
  children?: ReactNode;
  "data-consent"?: boolean;
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
