import type { ReactNode } from "react";
import { AssetTags } from "../../assets/AssetTags.tsx";
import { Island } from "../../islands/Island.tsx";
import { CountrySwitcher, ViewChanger } from "./Choices.tsx";
import type { FooterBodyProps, FooterProps } from "./footer-props.ts";
import {
  IconLinks,
  LegalLinks,
  PaymentAndDelivery,
  QualityLogos,
  SalesTax,
  SeoLinks,
  SiteLink,
  Teasers,
} from "./Sections.tsx";

/** Renders a part of the footer to markup, or returns the cached markup of the part with this name. */
type MemoPart = (part: "newsletter" | "body", element: ReactNode) => string;

interface FooterOptions extends FooterProps {
  /** Caches the markup of parts; without it they are rendered each time. */
  memo?: MemoPart;
}

/** The page footer of one country site. */
export function Footer({ memo, ...props }: FooterOptions) {
  const { promotion, newsletter, reduced, body } = props;
  const part = (name: Parameters<MemoPart>[0], element: ReactNode) =>
    memo ? { dangerouslySetInnerHTML: { __html: memo(name, element) } } : { children: element };
  return (
    <footer
      className="sf-root sf-fragment sf-footer"
      lang={props.locale}
      data-fragment="footer"
      data-nosnippet=""
      data-site={props.site}
      data-time-zone={props.timeZone}
      data-platform={props.platform}
      data-layout={props.platform === "CLASSIC" ? undefined : props.platform}
      data-reduced={reduced}
      data-variant={props.variant}
      data-preview={props.holdsPreviewPanel || undefined}
      data-preview-context={props.isPreviewed || undefined}
    >
      <AssetTags {...props.assets} />
      {props.headline && <h2 className="sf-visually-hidden">{props.headline}</h2>}
      {promotion && <Promotion {...promotion} />}
      {newsletter && !reduced && (
        <section data-section="newsletter" {...part("newsletter", <Island {...newsletter} />)} />
      )}
      <div className="sf-sections" {...part("body", <FooterBody body={body} reduced={reduced} />)} />
    </footer>
  );
}

/** The current promotion. */
function Promotion({ headline, text, link }: NonNullable<FooterProps["promotion"]>) {
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

/**
 * Everything below the newsletter, in the order in which a shopper needs it.
 * @param reduced - leaves out teasers, category links, social media and apps
 */
function FooterBody({ body, reduced }: { body: FooterBodyProps; reduced: boolean }) {
  return (
    <>
      {!reduced && (
        <>
          <Teasers groups={body.teasers} />
          <SeoLinks {...body.seo} />
          <div className="sf-inner sf-follow">
            <IconLinks section="social" {...body.social} />
            <IconLinks section="apps" {...body.apps} />
          </div>
        </>
      )}
      <PaymentAndDelivery {...body.payment} />
      <div className="sf-closing">
        <LegalLinks {...body.legal} />
        {body.salesTax && <SalesTax {...body.salesTax} />}
        <QualityLogos {...body.quality} />
        <div className="sf-inner sf-choices">
          <ViewChanger {...body.viewChanger} />
          <CountrySwitcher {...body.switcher} />
        </div>
      </div>
    </>
  );
}
