import { Icon } from "../icons/Icon.tsx";
import type { NewsletterTeaserProps } from "./footer-props.ts";
import { SiteLink } from "./SiteLink.tsx";

/** Invites to the newsletter and leads to its sign-up page. */
export function NewsletterTeaser({ heading, text, link }: NewsletterTeaserProps) {
  return (
    <section className="sf-newsletter" data-section="newsletter">
      <div className="sf-inner sf-newsletter-inner">
        <Icon name="mail" size={40} />
        <div className="sf-newsletter-text">
          <h3 className="sf-newsletter-heading">{heading}</h3>
          <p>{text}</p>
        </div>
        <SiteLink className="sf-button" link={link} />
      </div>
    </section>
  );
}
