import { setTimeout as pause } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { Footer } from "../../../client/features/footer/Footer.tsx";
import type { FooterProps } from "../../../client/features/footer/footer-props.ts";
import { type Milliseconds, type Moment, second } from "../../../client/rules/time.ts";
import { wantsReduced } from "../../../client/rules/wants-reduced.ts";
import type { FooterParameters } from "../../../schemas/types.ts";
import { type AbGroup, parseVariant, variantOf } from "../../rendering/ab-group.ts";
import { defineFragment, type Fragment } from "../../rendering/fragment.ts";
import type { Site } from "../../sites/countries.ts";
import { nextVersionStart, versionAt } from "../../sites/footer-versions.ts";
import type { ActiveGroups } from "../abtests/service.ts";
import type { Contents } from "../content/service.ts";
import type { AppContext } from "../feature.ts";
import type { NewsletterIslands } from "../newsletter/service.ts";
import { buildFooterProps, type FooterData } from "./footer-props.ts";
import { groupsPerSite, type Promotions } from "./promotions.ts";

export const footerAssets = { styles: ["footer.css"], scripts: ["boot.js"] };

/** The state of footers without a group: no A/B test changes them. */
const everybody: { group?: AbGroup; until: Moment } = { until: Infinity };
/** How long the first request for a group waits for its data. Composers wait for a footer for a second. */
const longestFetch: Milliseconds = second / 2;

/** The number of characters of cached parts per site. Those of a built-in footer have 33,000. */
const partsPerSite = 200_000;

/** Creates the footer fragment. */
export function createFooterFragment(
  context: AppContext,
  newsletter: NewsletterIslands,
  contents: Contents,
  promotions: Promotions,
  groups: ActiveGroups,
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
  const latestOfGroups = new LRUCache<string, FooterData>({ max: groupsPerSite * context.countries.sites.length });
  return defineFragment<FooterParameters, FooterProps, FooterData>({
    name: "footer",
    assets: footerAssets,
    personalize: (parameters, cookies) =>
      wantsReduced(cookies) && !parameters.reduced ? { ...parameters, reduced: true } : parameters,
    data: {
      current(site, asked) {
        const at = Date.now();
        const { group, until } = asked ? shownTo(site, asked, at) : everybody;
        const content = contents.current(site);
        const { footerStarts } = content.site;
        const version = versionAt(footerStarts, at);
        const promotion = promotions.current(site, at, group);
        const known = group ? latestOfGroups : latest;
        const key = group ? `${site.site} ${variantOf(group)}` : site.site;
        let data = known.get(key);
        if (data?.content !== content || data.version !== version || data.promotion !== promotion) {
          data = { content, version, promotion, group };
          known.set(key, data);
        }
        const change = Math.min(nextVersionStart(footerStarts, at), promotions.nextChange(site, at, group));
        return { data, until: Math.min(change, until), showsGroup: group !== undefined };
      },
      async fetchGroup(site, group) {
        await Promise.race([fetchData(site, group), pause(longestFetch, undefined, { ref: false })]);
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
    groupOf: ({ variant }) => (variant === undefined ? undefined : parseVariant(variant)),
    fallbackParameters: {
      reduced: true,
      platform: "CLASSIC",
      newsletter: false,
      preview: false,
      links: "relative",
      assets: "inline",
    },
  });

  /**
   * Returns the group whose footer is shown, and until when. There is no group if its test isn't active. There is none
   * either, and no cache may keep the footer, if the test or the group's promotion isn't known yet.
   */
  function shownTo(site: Site, group: AbGroup, at: Moment): { group?: AbGroup; until: Moment } {
    const state = groups.stateOf(group, at);
    if (!state?.isActive) return { until: state?.until ?? at };
    return promotions.isKnown(site, group) ? { group, until: state.until } : { until: at };
  }

  async function fetchData(site: Site, group: AbGroup): Promise<void> {
    await groups.want();
    if (groups.stateOf(group, Date.now())?.isActive) await promotions.want(site, group);
  }
}
