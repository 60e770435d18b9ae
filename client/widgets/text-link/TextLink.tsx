import type { ReactNode } from "react";
import { Icon, type IconName } from "../../icons/Icon.tsx";
import { Action, type ActionProps } from "../Action.tsx";
import { oneOf } from "../one-of.ts";

export const textLinkVariants = ["primary", "secondary"] as const;
export const textLinkSizes = ["small", "medium", "large"] as const;
export const textLinkIconPositions = ["appended", "prepended", "none"] as const;

interface TextLinkProps extends Pick<ActionProps, "newTabHint" | "disabled"> {
  children: ReactNode;
  href: string;
  variant?: (typeof textLinkVariants)[number];
  size?: (typeof textLinkSizes)[number];
  icon?: IconName;
  iconPosition?: (typeof textLinkIconPositions)[number];
}

/** A link in a text or below it. */
export function TextLink({ children, icon = "link-up", variant, size, iconPosition, ...action }: TextLinkProps) {
  const position = oneOf("text link icon position", textLinkIconPositions, iconPosition, "appended");
  return (
    <Action
      {...action}
      className="sf-text-link"
      data-variant={oneOf("text link variant", textLinkVariants, variant, "primary")}
      data-size={oneOf("text link size", textLinkSizes, size, "medium")}
      data-icon-position={position}
    >
      {position === "prepended" && <Icon name={icon} />}
      <span className="sf-text-link-text">{children}</span>
      {position === "appended" && <Icon name={icon} />}
    </Action>
  );
}
