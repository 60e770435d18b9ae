import type { MouseEvent } from "react";
import { Icon } from "../../icons/Icon.tsx";
import { NewTabHint } from "../../links/NewTabHint.tsx";
import { isExternal, linkTarget } from "../../rules/link-target.ts";
import { oneOf } from "../one-of.ts";
import { useRipple } from "../ripple/use-ripple.ts";

export const iconButtonVariants = ["primary-default", "primary-fill", "secondary"] as const;
export const iconButtonSizes = ["small", "medium", "large"] as const;

interface IconButtonProps {
  /** The accessible name: what it does. */
  label: string;
  /** Name of the icon. */
  icon: string;
  variant?: (typeof iconButtonVariants)[number];
  size?: (typeof iconButtonSizes)[number];
  /** Makes it a link; an address that starts with http or mailto opens a new tab and sends no referrer. */
  href?: string;
  /** Announced after the label of a link that opens a new tab. */
  newTabHint?: string;
  type?: "button" | "submit";
  name?: string;
  value?: string;
  /** Makes it a plain disabled button, also where it has an address. */
  disabled?: boolean;
  onClick?: (event: MouseEvent<HTMLElement>) => void;
}

/** A button, or a link, that shows an icon alone. */
export function IconButton({ label, icon, href, newTabHint, disabled, onClick, ...props }: IconButtonProps) {
  const { type = "button", name, value } = props;
  const active = { ...useRipple(true), onClick };
  const size = oneOf("icon button size", iconButtonSizes, props.size ?? "large", "large");
  const look = {
    className: "sf-icon-button",
    "data-variant": oneOf(
      "icon button variant",
      iconButtonVariants,
      props.variant ?? "primary-default",
      "primary-default",
    ),
    "data-size": size,
  };
  const content = (
    <>
      <Icon name={icon} size={size === "small" ? 16 : 24} />
      <span className="sf-visually-hidden">{label}</span>
    </>
  );

  if (disabled) {
    return (
      <button {...look} type={type} disabled>
        {content}
      </button>
    );
  }
  if (href !== undefined) {
    return (
      <a {...look} {...active} {...linkTarget(href)}>
        {content}
        {isExternal(href) && <NewTabHint text={newTabHint} />}
      </a>
    );
  }
  return (
    <button {...look} {...active} type={type} name={name} value={value}>
      {content}
    </button>
  );
}
