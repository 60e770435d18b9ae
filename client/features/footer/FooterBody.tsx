import { IconSprite } from "../../icons/Icon.tsx";
import { CountrySwitcher, ViewChanger } from "./Choices.tsx";
import { IconLinks, LegalLinks, SalesTax, SeoLinks } from "./FooterLinks.tsx";
import type { FooterBodyProps } from "./footer-props.ts";
import { PaymentAndDelivery, QualityLogos } from "./Logos.tsx";
import { Teasers } from "./Teasers.tsx";

/**
 * Everything below the newsletter, in the order a shopper needs it.
 * @param reduced - leaves out teasers, category links, social media and apps
 */
export function FooterBody({ body, reduced }: { body: FooterBodyProps; reduced: boolean }) {
  return (
    <IconSprite url={body.sprite}>
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
    </IconSprite>
  );
}
