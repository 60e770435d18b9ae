import type { MouseEvent, ReactNode } from "react";
import { Icon } from "../../icons/Icon.tsx";
import { NewTabHint } from "../../links/NewTabHint.tsx";
import { isExternal, linkTarget } from "../../rules/link-target.ts";
import { oneOf } from "../one-of.ts";
import { useRipple } from "../ripple/use-ripple.ts";

export const buttonVariants = [
  "primary-fill",
  "primary",
  "secondary",
  "activating",
  "sale",
  "community",
  "omnichannel",
  "omnichannel-secondary",
] as const;
export const buttonSizes = ["small", "medium", "large"] as const;
const buttonWidths = ["content", "full"] as const;

interface ButtonProps {
  children: ReactNode;
  variant?: (typeof buttonVariants)[number];
  size?: (typeof buttonSizes)[number];
  width?: (typeof buttonWidths)[number];
  /** Makes it a link; an external one opens a new tab, and a disabled one is a plain disabled button. */
  href?: string;
  /** Announced after the text of a link that opens a new tab. */
  newTabHint?: string;
  type?: "button" | "submit";
  name?: string;
  value?: string;
  /** Name of an icon in front of the text. */
  icon?: string;
  disabled?: boolean;
  /** Shows that the action is in progress; clicks do nothing meanwhile, and the focus stays. */
  loading?: boolean;
  /** Announced while loading. */
  loadingLabel?: string;
  onClick?: (event: MouseEvent<HTMLElement>) => void;
}

/** A button, or a link that looks like one. */
export function Button({
  children,
  icon,
  href,
  loading = false,
  loadingLabel,
  disabled,
  onClick,
  ...props
}: ButtonProps) {
  const { type = "button", name, value } = props;
  const ripple = useRipple(!loading);
  const look = {
    className: "sf-button",
    "data-variant": oneOf("button variant", buttonVariants, props.variant ?? "primary-fill", "primary-fill"),
    "data-size": oneOf("button size", buttonSizes, props.size ?? "medium", "medium"),
    "data-width": oneOf("button width", buttonWidths, props.width ?? "content", "content"),
  };
  const content = (
    <>
      {icon && <Icon name={icon} size={24} />}
      <span className="sf-button-text">{children}</span>
    </>
  );

  if (disabled) {
    return (
      <button {...look} type={type} disabled>
        {content}
      </button>
    );
  }
  if (href !== undefined && !loading) {
    return (
      <a {...look} {...ripple} {...linkTarget(href)} href={href} onClick={onClick}>
        {content}
        {isExternal(href) && <NewTabHint text={props.newTabHint} />}
      </a>
    );
  }
  return (
    <button
      {...look}
      {...ripple}
      type={type}
      name={name}
      value={value}
      aria-disabled={loading || undefined}
      aria-busy={loading || undefined}
      onClick={loading ? (event) => event.preventDefault() : onClick}
    >
      {content}
      {loading && <span className="sf-button-spinner" aria-hidden="true" />}
      {loading && loadingLabel && <span className="sf-visually-hidden">{loadingLabel}</span>}
    </button>
  );
}
