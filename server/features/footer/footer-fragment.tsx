import { LRUCache } from "lru-cache";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { Footer } from "../../../client/features/footer/Footer.tsx";
import type { FooterProps } from "../../../client/features/footer/footer-props.ts";
import { wantsReduced } from "../../../client/rules/wants-reduced.ts";
import type { FooterParameters } from "../../../schemas/types.ts";
import { defineFragment, type Fragment } from "../../rendering/fragment.ts";
import { nextVersionStart, versionAt } from "../../sites/footer-versions.ts";
import type { Contents } from "../content/service.ts";
import type { AppContext } from "../feature.ts";
import type { NewsletterIslands } from "../newsletter/service.ts";
import { buildFooterProps, type FooterData } from "./footer-props.ts";
import type { Promotions } from "./promotions.ts";

export const footerAssets = { styles: ["footer.css"], scripts: ["boot.js"] };

/** The number of characters of cached parts per site. Those of a built-in footer have 33,000. */
const partsPerSite = 200_000;

/** Creates the footer fragment. */
export function createFooterFragment(
  context: AppContext,
  newsletter: NewsletterIslands,
  contents: Contents,
  promotions: Promotions,
): Fragment {
  /**
   * The markup of the parts that are equal for all visitors. Limited, because previews may have any number of drafts,
   * each with parts of its own.
   */
  const parts = new LRUCache<string, string, ReactNode>({
    maxSize: partsPerSite * context.countries.sites.length,
    sizeCalculation: ({ length }) => length,
    memoMethod: (_key, _stale, { context: element }) => renderToStaticMarkup(element),
  });
  const latest = new Map<string, FooterData>();
  return defineFragment<FooterParameters, FooterProps, FooterData>({
    name: "footer",
    assets: footerAssets,
    personalize: (parameters, cookies) =>
      wantsReduced(cookies) && !parameters.reduced ? { ...parameters, reduced: true } : parameters,
    data: {
      current(site) {
        const at = Date.now();
        const content = contents.current(site);
        const { footerStarts } = content.site;
        const version = versionAt(footerStarts, at);
        const promotion = promotions.current(site, at);
        let data = latest.get(site.site);
        if (data?.content !== content || data.version !== version || data.promotion !== promotion) {
          data = { content, version, promotion };
          latest.set(site.site, data);
        }
        return { data, until: Math.min(nextVersionStart(footerStarts, at), promotions.nextChange(site, at)) };
      },
      async previewed(site, preview) {
        const [content, promotion] = await Promise.all([
          contents.previewed(site, preview),
          promotions.previewed(site, preview),
        ]);
        return { content, version: versionAt(content.site.footerStarts, preview.at), promotion, isPreview: true };
      },
      fallbackData(site) {
        const content = contents.current(site);
        return content.site.footerStarts.map((from, version) => ({ from, data: { content, version } }));
      },
    },
    props: (_site, parameters, data) => buildFooterProps(context, newsletter, parameters, footerAssets, data),
    render(props) {
      // The key must contain everything that a part depends on.
      const key = `${props.site} ${props.reduced} ${props.content} ${props.version} ${props.hasAbsoluteLinks}`;
      return <Footer {...props} memo={(part, element) => parts.memo(`${part} ${key}`, { context: element })} />;
    },
    fallbackParameters: {
      reduced: true,
      platform: "CLASSIC",
      newsletter: false,
      preview: false,
      links: "relative",
      assets: "inline",
    },
  });
}
