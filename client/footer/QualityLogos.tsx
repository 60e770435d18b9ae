import { NewTabHint } from "../links/NewTabHint.tsx";
import { linkTarget } from "../rules/link-target.ts";
import type { FooterBodyProps } from "./footer-props.ts";
import { Logo } from "./Logo.tsx";

/** Seals the shop holds; a seal with an address leads to its explanation. */
export function QualityLogos({ heading, logos }: FooterBodyProps["quality"]) {
  if (logos.length === 0) return null;
  return (
    <section className="sf-inner" data-section="quality">
      {heading && <h3 className="sf-heading">{heading}</h3>}
      <ul className="sf-row">
        {logos.map(({ image, link }) => (
          <li key={image.url}>
            {link ? (
              <a {...linkTarget(link.url)}>
                <Logo image={image} />
                <NewTabHint text={link.newTabHint} />
              </a>
            ) : (
              <Logo image={image} />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
