import { LRUCache } from "lru-cache";
import { NewsletterBlock } from "../../../client/features/newsletter/NewsletterBlock.tsx";
import {
  NewsletterFragment,
  type NewsletterFragmentProps,
} from "../../../client/features/newsletter/NewsletterFragment.tsx";
import type { IslandMarkup } from "../../../client/islands/Island.tsx";
import {
  blockTexts,
  blockWidgetTexts,
  footerPlace,
  type NewsletterContent,
  type NewsletterPlace,
  type TextSegment,
} from "../../../client/rules/newsletter-block.ts";
import type { NewsletterParameters } from "../../../schemas/types.ts";
import { imageUrl } from "../../http/image-files.ts";
import { shortHash } from "../../platform/assets.ts";
import { splitLinks } from "../../platform/text-links.ts";
import { pickTexts } from "../../platform/texts.ts";
import { defineFragment, type Fragment, staticData } from "../../rendering/fragment.ts";
import { renderIsland } from "../../rendering/render-element.ts";
import type { Site } from "../../sites/countries.ts";
import { legalParagraphs, offersTexts, textValues, titleText } from "../../sites/legal-texts.ts";
import { type LinkForm, offersNewsletter, urlWriter } from "../../sites/site.ts";
import type { AppContext } from "../feature.ts";
import type { NewsletterIslands } from "./service.ts";

const files = { styles: ["newsletter.css"], scripts: ["boot.js"] };

/** Creates the fragment with the sign-up block. */
export function createNewsletterFragment({ assets }: AppContext, { islands, render }: NewsletterBlocks): Fragment {
  return defineFragment<NewsletterParameters, NewsletterFragmentProps>({
    name: "newsletter",
    assets: files,
    hasText: ({ originAddition }) => originAddition !== "",
    data: staticData,
    props: (site, { origin, originAddition, ...parameters }) => ({
      site: site.site,
      locale: site.locale,
      assets: parameters.assets === "inline" ? assets.filesOf(files) : { styles: [], scripts: [] },
      ...(offersNewsletter(site) && {
        // Places with free text are unlimited, so they aren't cached.
        block: (originAddition === "" ? islands : render)(site, { origin, originAddition, level: 2 }, "newsletter"),
      }),
    }),
    render: (props) => <NewsletterFragment {...props} />,
    fallbackParameters: { origin: "NEWSLETTER", originAddition: "", assets: "inline" },
  });
}

/** Returns the texts of a block that contain links, with absolute URLs. */
function absoluteTexts(site: Site, { personalisedOffersLabel, legalsLabel, legal }: NewsletterContent) {
  const urlOf = urlWriter(site, "absolute");
  const withUrls = (segments: TextSegment[]) =>
    segments.map((segment) =>
      segment.url?.startsWith("/") ? { ...segment, url: urlOf(segment.url), isOwn: true as const } : segment,
    );
  return {
    personalisedOffersLabel: withUrls(personalisedOffersLabel),
    ...(legalsLabel && { legalsLabel: withUrls(legalsLabel) }),
    legal: legal.map(withUrls),
  };
}

/** The maximum number of cached blocks: enough for 200 sites with several places each. */
const cacheSize = 1_000;

/** The content that all sign-up blocks of a site share, and the path from which browsers load it. */
interface SharedContent {
  address: string;
  props: NewsletterContent;
}

type BlockContext = Pick<AppContext, "assets" | "countries" | "pictures" | "texts">;

export type NewsletterBlocks = ReturnType<typeof createNewsletterBlocks>;

/**
 * Creates the sign-up blocks of all sites. Their shared content is built once per site, and each block is rendered once
 * per place.
 */
export function createNewsletterBlocks({ countries, pictures, texts }: BlockContext) {
  const contents = new Map<string, SharedContent>();
  const cache = new LRUCache<string, IslandMarkup>({ max: cacheSize });
  const islands: NewsletterIslands = (site, place, fragment, links) => {
    const key = JSON.stringify([fragment, site.site, place, links]);
    const island = cache.get(key) ?? render(site, place, fragment, links);
    cache.set(key, island);
    return island;
  };
  return { contentOf, listContents, islands, render };

  /**
   * Returns the shared content of a site. Its path contains a hash of the content, so browsers may cache it
   * indefinitely.
   */
  function contentOf(site: Site): SharedContent {
    const cached = contents.get(site.site);
    if (cached) return cached;
    const props = buildContent(site);
    const content = { address: `/assets/newsletter-${site.site}-${shortHash(JSON.stringify(props))}.json`, props };
    contents.set(site.site, content);
    return content;
  }

  /** Lists the shared contents of all sites, which are served from memory, by their names below /assets/. */
  function listContents(): Map<string, Buffer> {
    const shared = countries.sites.filter(offersNewsletter).map(contentOf);
    return new Map(
      shared.map(({ address, props }) => [address.replace("/assets/", ""), Buffer.from(JSON.stringify(props))]),
    );
  }

  /**
   * Renders a sign-up block. It hydrates for customers, to fill in their data, and for everybody if it shows an answer.
   * @param parent - the fragment or page; the ids inside begin with its name
   * @param links - absolute ones aren't in the shared content, so they are sent with the block
   */
  function render(site: Site, place: NewsletterPlace, parent: string, links: LinkForm = "relative"): IslandMarkup {
    const shared = contentOf(site);
    return renderIsland({
      name: "newsletter",
      component: NewsletterBlock,
      props: { ...shared.props, ...(links === "absolute" && absoluteTexts(site, shared.props)), ...place },
      prefix: `${parent}-${site.site}`,
      shared,
      actsFor: place.answer ? "everybody" : "customers",
    });
  }

  function buildContent(country: Site): NewsletterContent {
    const { site, locale, newsletter } = country;
    const { salutation, names, familyNameFirst, legals, personalisedOffers, lockPrefilled, links } = newsletter;
    const nameFields = familyNameFirst ? (["lastName", "firstName"] as const) : (["firstName", "lastName"] as const);
    const values = textValues(locale, newsletter);
    const text = texts.translator(locale, "newsletter", values);
    // The files have their sizes as names.
    const pictureOf = (size: string) => imageUrl("pictures", pictures.named(size));
    return {
      ...footerPlace,
      site,
      settings: { salutation, names, nameFields, legals, personalisedOffers, lockPrefilled },
      ...(values.discount !== undefined && { voucher: { discount: values.discount, name: text("banderole") } }),
      pictures: { desktop: pictureOf("400x300"), tablet: pictureOf("273x273") },
      texts: { ...pickTexts(blockTexts, text), title: text(titleText(newsletter)) },
      widgetTexts: pickTexts(blockWidgetTexts, texts.translator(locale, "widgets")),
      personalisedOffersLabel: splitLinks(offersTexts(newsletter).map(text).join(" "), links),
      ...(legals && { legalsLabel: splitLinks(text("legals.label"), links) }),
      legal: legalParagraphs(country).map((keys) => splitLinks(keys.map(text).join(" "), links)),
    };
  }
}
