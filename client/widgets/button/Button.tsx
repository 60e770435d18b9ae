import type { MouseEvent, ReactNode } from "react";
import { Icon, type IconName } from "../../icons/Icon.tsx";
import { Action, type ActionProps } from "../Action.tsx";
import { besidesDefault } from "../one-of.ts";
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

interface ButtonProps extends ActionProps {
  children: ReactNode;
  variant?: (typeof buttonVariants)[number];
  size?: (typeof buttonSizes)[number];
  width?: (typeof buttonWidths)[number];
  /** Name of an icon in front of the text. */
  icon?: IconName;
  /** Shows that the action is in progress. Clicks do nothing in the meantime, and the focus stays. */
  loading?: boolean;
  /** Announced while loading. */
  loadingLabel?: string;
}

/** A button, or a link that looks like one. */
export function Button({
  children,
  icon,
  variant,
  size,
  width,
  loading = false,
  loadingLabel,
  ...action
}: ButtonProps) {
  const isBusy = loading && !action.disabled;
  const ripple = useRipple(!loading && !action.disabled);
  return (
    <Action
      {...action}
      {...ripple}
      {...(isBusy && busy)}
      className="sf-button"
      data-variant={besidesDefault("button variant", buttonVariants, variant, "primary-fill")}
      data-size={besidesDefault("button size", buttonSizes, size, "medium")}
      data-width={besidesDefault("button width", buttonWidths, width, "content")}
    >
      {icon && <Icon name={icon} size={24} />}
      <span className="sf-button-text">{children}</span>
      {isBusy && <span className="sf-button-spinner" aria-hidden="true" />}
      {isBusy && loadingLabel && <span className="sf-visually-hidden">{loadingLabel}</span>}
    </Action>
  );
}

/** Keeps the focus on the button, unlike `disabled`. */
const busy = {
  href: undefined,
  "aria-disabled": true,
  "aria-busy": true,
  onClick: (event: MouseEvent) => event.preventDefault(),
};
