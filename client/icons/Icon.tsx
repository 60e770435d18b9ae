import { cellAt } from "./cells.ts";
import icons from "./icons.json";

export type IconName = keyof typeof icons;

/** Sizes of icons, in pixels. */
type IconSize = 12 | 16 | 24 | 32 | 100;

interface IconProps {
  name: IconName;
  size?: IconSize;
  className?: string;
}

const cells = new Map(Object.keys(icons).map((name, index) => [name, cellAt(index)]));

/**
 * Returns the icon's cell in the sprite, for the attribute `data-icon`: the element with it shows the icon before its
 * content.
 */
export function iconCell(name: IconName): string | undefined {
  return cells.get(name);
}

/** A decorative icon, in the colour of the text. Always put it beside a text with the same meaning. */
export function Icon({ name, size = 16, className = "" }: IconProps) {
  return (
    <i
      className={`sf-icon ${className}`.trim()}
      data-icon={iconCell(name)}
      // 24 is the stylesheet's default.
      data-size={size === 24 ? undefined : size}
    />
  );
}
