import type { ReactNode } from "react";
import { AssetTags } from "../assets/AssetTags.tsx";
import { Island } from "../islands/Island.tsx";
import { FooterBody } from "./FooterBody.tsx";
import type { FooterProps } from "./footer-props.ts";
import { Promotion } from "./Promotion.tsx";

interface FooterOptions extends FooterProps {
  /** Markup of the body from an earlier rendering; without it the body is rendered anew. */
  bodyHtml?: string;
}

/** The page footer of one country site. */
export function Footer({ bodyHtml, ...props }: FooterOptions) {
  const { promotion, newsletter, reduced, body } = props;
  return (
    <footer
      className="sf-root sf-fragment sf-footer"
      lang={props.locale}
      data-fragment="footer"
      data-site={props.site}
      data-time-zone={props.timeZone}
      data-platform={props.platform}
      data-layout={props.platform === "CLASSIC" ? undefined : props.platform}
      data-reduced={reduced}
      data-preview={props.holdsPreviewPanel || undefined}
      data-preview-context={props.isPreviewed || undefined}
    >
      <AssetTags {...props.assets} />
      {props.headline && <h2 className="sf-visually-hidden">{props.headline}</h2>}
      {promotion && <Promotion {...promotion} />}
      {newsletter && !reduced && (
        <section data-section="newsletter">
          <Island {...newsletter} />
        </section>
      )}
      <FooterSections {...(bodyHtml !== undefined && { html: bodyHtml })}>
        <FooterBody body={body} reduced={reduced} />
      </FooterSections>
    </footer>
  );
}

function FooterSections({ html, children }: { html?: string; children: ReactNode }) {
  if (html === undefined) return <div className="sf-sections">{children}</div>;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: markup that React rendered itself, from the same components
  return <div className="sf-sections" dangerouslySetInnerHTML={{ __html: html }} />;
}
