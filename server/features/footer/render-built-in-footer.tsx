import { renderToStaticMarkup } from "react-dom/server";
import { Footer } from "../../../client/features/footer/Footer.tsx";
import type { Moment } from "../../../client/rules/time.ts";
import type { Texts } from "../../platform/texts.ts";
import type { Site } from "../../sites/countries.ts";
import { versionAt } from "../../sites/footer-versions.ts";
import { builtInContent } from "../../sites/site-content.ts";
import { footerAssets } from "./footer-fragment.tsx";
import { buildFooterProps, type FooterContext } from "./footer-props.ts";

/**
 * Renders a footer for pages on other hosts, without tags for its files and without what only a running service knows:
 * the promotion, and the content of a content service.
 * @param at - decides which of the dated entries are shown
 * @throws what a component throws
 */
export function renderBuiltInFooter(context: FooterContext & { texts: Texts }, site: Site, at: Moment): string {
  const content = builtInContent(site, context.texts);
  const form = { platform: "CLASSIC", links: "absolute", assets: "none" } as const;
  const parameters = { ...form, reduced: false, newsletter: false, preview: false };
  const data = { content, version: versionAt(site.footerStarts, at) };
  return renderToStaticMarkup(<Footer {...buildFooterProps(context, undefined, parameters, footerAssets, data)} />);
}
