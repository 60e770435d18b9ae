interface IconProps {
  /** Address of the sprite that holds the icon. */
  sprite: string;
  name: string;
  /** Edge length in pixels: 12, 16 or 24, scaling to 100. */
  size?: number;
  className?: string;
}

/** A decorative icon: always beside a text that says the same. */
export function Icon({ sprite, name, size = 16, className = "sf-icon" }: IconProps) {
  return (
    <svg className={className} width={size} height={size} aria-hidden="true" focusable="false">
      <use href={`${sprite}#${name}`} />
    </svg>
  );
}
