import { Icon, type IconName } from "../../icons/Icon.tsx";
import { Action, type ActionProps } from "../Action.tsx";
import { oneOf } from "../one-of.ts";
import { useRipple } from "../ripple/use-ripple.ts";

export const iconButtonVariants = ["primary-default", "primary-fill", "secondary"] as const;
export const iconButtonSizes = ["small", "medium", "large"] as const;

interface IconButtonProps extends ActionProps {
  /** The accessible name, which says what the button does. */
  label: string;
  /** Name of the icon. */
  icon: IconName;
  variant?: (typeof iconButtonVariants)[number];
  size?: (typeof iconButtonSizes)[number];
}

/** A button or link that shows only an icon. */
export function IconButton({ label, icon, ...props }: IconButtonProps) {
  const { variant, size: given, ...action } = props;
  const size = oneOf("icon button size", iconButtonSizes, given, "large");
  return (
    <Action
      {...action}
      {...useRipple(!action.disabled)}
      className="sf-button sf-icon-button"
      data-variant={oneOf("icon button variant", iconButtonVariants, variant, "primary-default")}
      data-size={size}
    >
      <Icon name={icon} size={size === "small" ? 16 : 24} />
      <span className="sf-visually-hidden">{label}</span>
    </Action>
  );
}
