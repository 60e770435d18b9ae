import type { FooterImage } from "./footer-props.ts";

/**
 * A logo. Loaded late, as React would announce an eager image in front of the fragment's root
 * (test/server/app/markup.test.ts).
 */
export function Logo({ image }: { image: FooterImage }) {
  return <img src={image.url} alt={image.label} width={image.width} height={image.height} loading="lazy" />;
}
