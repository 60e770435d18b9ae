import { createHash } from "node:crypto";
import { Router } from "express";
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
  type NewsletterContent,
  type NewsletterPlace,
} from "../../../client/rules/newsletter-block.ts";
import type { NewsletterParameters } from "../../../schemas/types.ts";
import type { Pictures } from "../../brand/load-images.ts";
import { setCachePolicy } from "../../http/cache-control.ts";
import { nameRoute } from "../../http/request-log.ts";
import { crossOriginHeaders, imageFiles } from "../../http/static-files.ts";
import type { Assets } from "../../platform/assets.ts";
import { splitLinks } from "../../platform/text-links.ts";
import { pickTexts, type Texts } from "../../platform/texts.ts";
import { defineFragment, type Fragment, staticData } from "../../rendering/fragment.ts";
import { renderIsland } from "../../rendering/render-element.ts";
import type { CountryRegistry, Site } from "../../sites/countries.ts";
import { legalTexts, offersTexts, textValues } from "../../sites/legal-texts.ts";
import { offersNewsletter } from "../../sites/site.ts";
import type { NewsletterIslands } from "./service.ts";

const files = { styles: ["newsletter.css"], scripts: ["boot.js"] };

/** Creates the fragment with the sign-up block. */
export function createNewsletterFragment(assets: Assets, islands: NewsletterIslands): Fragment {
  return defineFragment<NewsletterParameters, NewsletterFragmentProps>({
    name: "newsletter",
    assets: files,
    hasText: ({ originAddition }) => originAddition !== "",
    data: staticData,
    props: (site, { origin, originAddition, ...parameters }) => ({
      site: site.site,
      locale: site.locale,
      assets: parameters.assets === "inline" ? assets.urls(files) : { styles: [], scripts: [] },
      ...(offersNewsletter(site) && {
        block: islands(site, { origin, originAddition, level: 2 }, "newsletter"),
      }),
    }),
    render: (props) => <NewsletterFragment {...props} />,
    fallbackParameters: { origin: "NEWSLETTER", originAddition: "", assets: "inline" },
  });
}

/** Maximum number of cached blocks: enough for 200 sites with several places each. */
const cacheSize = 1_000;

/** Creates the cache of rendered sign-up blocks. */
export function createNewsletterIslands(contents: NewsletterContents): NewsletterIslands {
  const islands = new LRUCache<string, IslandMarkup>({ max: cacheSize });
  return (site, place, fragment) => {
    const prefix = `${fragment}-${site.site}`;
    const key = JSON.stringify([prefix, place]);
    const cached = islands.get(key);
    if (cached) return cached;
    const island = renderNewsletterIsland(contents(site), place, prefix);
    islands.set(key, island);
    return island;
  };
}

/**
 * Renders a sign-up block. It hydrates for customers, to fill in their data, and for everybody when it shows an answer.
 * @param prefix - the beginning of every id inside
 */
export function renderNewsletterIsland(shared: SharedContent, place: NewsletterPlace, prefix: string): IslandMarkup {
  return renderIsland({
    name: "newsletter",
    component: NewsletterBlock,
    props: { ...place, ...shared.props },
    prefix,
    shared,
    actsFor: place.answer ? "everybody" : "customers",
  });
}

interface ContentSources {
  texts: Texts;
  assets: Assets;
  pictures: Pictures;
}

/** The content that all sign-up blocks of a site share, and the path from which browsers load it. */
interface SharedContent {
  address: string;
  props: NewsletterContent;
}

/** Returns the shared content of a site, built at the first call and then cached. */
export type NewsletterContents = (site: Site) => SharedContent;

/** Path of the sign-up's default pictures. */
const picturesPath = "/service/newsletterfrontend/newslettersubscriptionform";

/** Creates the cache of shared content. The address contains a hash of the content, so browsers may keep it for good. */
export function createNewsletterContents(sources: ContentSources): NewsletterContents {
  const contents = new Map<string, SharedContent>();
  return (site) => {
    const cached = contents.get(site.site);
    if (cached) return cached;
    const props = buildContent(sources, site);
    const hash = createHash("sha256").update(JSON.stringify(props)).digest("hex").slice(0, 8).toUpperCase();
    const content = { address: `/assets/newsletter-${site.site}-${hash}.json`, props };
    contents.set(site.site, content);
    return content;
  };
}

function buildContent(
  { texts, assets, pictures: { fileOf } }: ContentSources,
  { site, locale, newsletter }: Site,
): NewsletterContent {
  const { salutation, names, familyNameFirst, legals, personalisedOffers, lockPrefilled, links } = newsletter;
  const nameFields = familyNameFirst ? (["lastName", "firstName"] as const) : (["firstName", "lastName"] as const);
  const values = textValues(locale, newsletter);
  const text = texts.translator(locale, "newsletter", values);
  const word = texts.translator(locale, "widgets");
  return {
    site,
    sprite: assets.path("icons.svg"),
    settings: { salutation, names, nameFields, legals, personalisedOffers, lockPrefilled },
    discount: values.discount,
    // The files are named by their sizes.
    pictures: { desktop: `${picturesPath}/${fileOf("400x300")}`, tablet: `${picturesPath}/${fileOf("273x273")}` },
    texts: pickTexts(blockTexts, text),
    widgetTexts: pickTexts(blockWidgetTexts, word),
    personalisedOffersLabel: splitLinks(offersTexts(newsletter).map(text).join(" "), links),
    ...(legals && { legalsLabel: splitLinks(text("legals.label"), links) }),
    legal: legalTexts(newsletter).map((key) => splitLinks(text(key), links)),
  };
}

interface AssetContext {
  countries: CountryRegistry;
  newsletterContents: NewsletterContents;
  pictures: Pictures;
}

/**
 * Serves what browsers load for sign-up blocks: the default pictures, and the shared content of this release. Another
 * release's would not match the markup, and React would replace fields that are in use.
 */
export function newsletterAssets({ countries, newsletterContents, pictures }: AssetContext): Router {
  const router = Router({ caseSensitive: true });
  router.get("/assets/newsletter-:site-:hash.json", nameRoute("/assets/*"), ({ params, path }, response, next) => {
    const site = countries.get(String(params.site));
    const content = site && newsletterContents(site);
    if (content?.address !== path) return next();
    setCachePolicy(response, "immutable");
    response.set(crossOriginHeaders).json(content.props);
  });
  return router.use(picturesPath, nameRoute(`${picturesPath}/*`), imageFiles(pictures.folders));
}
