import { createContext, type ReactNode, use } from "react";

/** Sizes of icons, in pixels. */
type IconSize = 12 | 16 | 24 | 32 | 100;

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

/** A decorative flag. Always put it beside the country's name. */
export function Flag({ name }: { name: string }) {
  const sprite = use(SpriteUrl);
  return (
    <svg className="sf-flag" width="24" height="16" aria-hidden="true">
      <use href={`${sprite}#flag-${name}`} />
    </svg>
  );
}

/** Address of the file that holds every icon and flag. */
const SpriteUrl = createContext("");

/** Provides the icons inside with the address of the sprite. */
export function IconSprite({ url, children }: { url: string; children: ReactNode }) {
  return <SpriteUrl value={url}>{children}</SpriteUrl>;
}
