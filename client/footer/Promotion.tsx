import type { PromotionProps } from "./footer-props.ts";
import { SiteLink } from "./SiteLink.tsx";

/** What the shop promotes at the moment. */
export function Promotion({ headline, text, link }: PromotionProps) {
  return (
    <section className="sf-promotion" data-section="promotion">
      <div className="sf-inner sf-promotion-inner">
        <h3 className="sf-promotion-headline">{headline}</h3>
        <p className="sf-promotion-text">{text}</p>
        <SiteLink className="sf-promotion-link" link={link} />
      </div>
    </section>
  );
}
