import { use } from "react";
import { SpriteUrl } from "./IconSprite.tsx";

/** A decorative flag. Always put it beside the country's name. */
export function Flag({ name }: { name: string }) {
  const sprite = use(SpriteUrl);
  return (
    <svg className="sf-flag" width="24" height="16" aria-hidden="true">
      <use href={`${sprite}#flag-${name}`} />
    </svg>
  );
}
