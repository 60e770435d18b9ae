import type { ReactNode } from "react";
import { Icon } from "../../icons/Icon.tsx";
import { NewTabHint } from "../../links/NewTabHint.tsx";
import { isExternal, linkTarget } from "../../rules/link-target.ts";
import { oneOf } from "../one-of.ts";

export const textLinkVariants = ["primary", "secondary"] as const;
export const textLinkSizes = ["small", "medium", "large"] as const;
export const textLinkIconPositions = ["appended", "prepended", "none"] as const;

interface TextLinkProps {
  children: ReactNode;
  /** One that starts with http or mailto opens a new tab and sends no referrer. */
  href: string;
  variant?: (typeof textLinkVariants)[number];
  size?: (typeof textLinkSizes)[number];
  icon?: string;
  iconPosition?: (typeof textLinkIconPositions)[number];
  /** Announced after the text of a link that opens a new tab. */
  newTabHint?: string;
  /** Renders a plain disabled button. */
  disabled?: boolean;
}

/** A link in or below a text. */
export function TextLink({ children, href, icon = "link-up", newTabHint, disabled, ...props }: TextLinkProps) {
  const position = oneOf(
    "text link icon position",
    textLinkIconPositions,
    props.iconPosition ?? "appended",
    "appended",
  );
  const look = {
    className: "sf-text-link",
    "data-variant": oneOf("text link variant", textLinkVariants, props.variant ?? "primary", "primary"),
    "data-size": oneOf("text link size", textLinkSizes, props.size ?? "medium", "medium"),
    "data-icon": position,
  };
  const content = (
    <>
      {position === "prepended" && <Icon name={icon} />}
      <span className="sf-text-link-text">{children}</span>
      {position === "appended" && <Icon name={icon} />}
    </>
  );

  if (disabled) {
    return (
      <button {...look} type="button" disabled>
        {content}
      </button>
    );
  }
  return (
    <a {...look} {...linkTarget(href)}>
      {content}
      {isExternal(href) && <NewTabHint text={newTabHint} />}
    </a>
  );
}
