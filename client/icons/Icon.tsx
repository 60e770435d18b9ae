import { use } from "react";
import { SpriteUrl } from "./IconSprite.tsx";

/** The sizes that the design system has for icons, in pixels. */
export type IconSize = 12 | 16 | 24 | 32 | 40 | 64 | 100;

interface IconProps {
  name: string;
  size?: IconSize;
  className?: string;
}

/** A decorative icon. Always put it beside a text that says the same. */
export function Icon({ name, size = 16, className = "" }: IconProps) {
  const sprite = use(SpriteUrl);
  return (
    <svg className={`sf-icon ${className}`.trim()} width={size} height={size} aria-hidden="true">
      <use href={`${sprite}#${name}`} />
    </svg>
  );
}
