import { renderToStaticMarkup } from "react-dom/server";
import { Footer } from "../../../client/features/footer/Footer.tsx";
import { undated } from "../../sites/footer-versions.ts";
import type { SiteContent } from "../../sites/site-content.ts";
import type { AppContext } from "../feature.ts";
import type { NewsletterIslands } from "../newsletter/service.ts";
import { footerAssets } from "./footer-fragment.tsx";
import { buildFooterProps } from "./footer-props.ts";

/**
 * Renders everything that footers of a content may show, at any time and in any layout: layouts differ only by
 * stylesheet.
 * @throws what a component throws
 */
export function renderWholeFooter(context: AppContext, newsletter: NewsletterIslands, content: SiteContent): string {
  const { site } = content;
  const whole = { ...content, site: { ...site, footer: undated(site.footer) } };
  const given = { platform: "MATCH", links: "relative", assets: "inline" } as const;
  const parameters = { ...given, reduced: false, newsletter: true, preview: false };
  return renderToStaticMarkup(
    <Footer {...buildFooterProps(context, newsletter, parameters, footerAssets, { content: whole, version: 0 })} />,
  );
}
