import type {
  FooterBodyProps,
  FooterImage,
  FooterLink,
  FooterProps,
} from "../../../client/features/footer/footer-props.ts";
import { isExternal } from "../../../client/rules/link-target.ts";
import { footerPlace } from "../../../client/rules/newsletter-block.ts";
import type { FooterParameters, Link, LogoSource, Promotion } from "../../../schemas/types.ts";
import { imageUrl } from "../../http/image-files.ts";
import type { AssetNames } from "../../platform/assets.ts";
import type { Translate } from "../../platform/texts.ts";
import { type AbGroup, variantOf } from "../../rendering/ab-group.ts";
import type { Site } from "../../sites/countries.ts";
import { footerAt, type ValidFooter } from "../../sites/footer-versions.ts";
import { footerFacts, imprintLines, type LinkForm, offersNewsletter, urlWriter } from "../../sites/site.ts";
import { footerTranslator, type SiteContent } from "../../sites/site-content.ts";
import type { AppContext } from "../feature.ts";
import type { NewsletterIslands } from "../newsletter/service.ts";
import { buildSwitcher } from "./country-links.ts";

/** The data of a footer that change with time. */
export interface FooterData {
  content: SiteContent;
  /** The index of the footer's version. */
  version: number;
  promotion?: Promotion | undefined;
  /** The group of an active A/B test for which the promotion is. */
  group?: AbGroup | undefined;
  /** Whether staff preview the data, which may differ from the current ones. */
  isPreview?: true;
}

/** What a footer needs of the shop. */
export type FooterContext = Pick<AppContext, "assets" | "countries" | "drawings" | "logos">;

/**
 * Builds the footer's props from a site's content and the parameters of a request.
 * @param newsletter - undefined for footers that have none
 */
export function buildFooterProps(
  context: FooterContext,
  newsletter: NewsletterIslands | undefined,
  parameters: FooterParameters,
  files: AssetNames,
  { content, version, promotion, group, isPreview }: FooterData,
): FooterProps {
  const { site } = content;
  const text = footerTranslator(content);
  const inline = parameters.assets === "inline";
  const targetOf = targetWriter(site, parameters.links, text);
  return {
    site: site.site,
    locale: site.locale,
    timeZone: site.timeZone,
    platform: parameters.platform,
    reduced: parameters.reduced,
    holdsPreviewPanel: parameters.preview,
    headline: text(site.footer.headline),
    assets: inline ? context.assets.filesOf(files) : { styles: [], scripts: [] },
    ...(parameters.links === "absolute" && { hasAbsoluteLinks: true }),
    ...(promotion && { promotion: { ...promotion, link: { ...promotion.link, ...targetOf(promotion.link.url) } } }),
    ...(newsletter &&
      parameters.newsletter &&
      offersNewsletter(site) && { newsletter: newsletter(site, footerPlace, "footer", parameters.links) }),
    ...(content.id !== undefined && { content: content.id }),
    version,
    body: buildBody(context, content, footerAt(site.footer, site.footerStarts[version] ?? -Infinity), text, targetOf),
    ...(group && { variant: variantOf(group) }),
    ...(isPreview && { isPreviewed: isPreview }),
  };
}

/** Whether a link is shown. Not if the locale lacks its text. */
function hasText({ link }: { link: FooterLink }): boolean {
  return link.text !== "";
}

type Target = Omit<FooterLink, "text">;

/** Creates the function that writes the target of a link, with the hint of an external one. */
function targetWriter(site: Site, links: LinkForm, text: Translate<"footer">) {
  const urlOf = urlWriter(site, links);
  return (url: string): Target => ({
    url: urlOf(url),
    ...(isExternal(url) && { newTabHint: text("link.opensInNewTab") }),
  });
}

function buildBody(
  context: FooterContext,
  { site, texts }: SiteContent,
  footer: ValidFooter,
  text: Translate<"footer">,
  targetOf: (url: string) => Target,
): FooterBodyProps {
  const { drawings, logos } = context;
  const { teaser, seo, socialMedia, appReferences, legalLinks, viewChanger, qualityLogos, salesTax } = footer;
  const { phone = "" } = footerFacts(site);
  const phoneUrl = `tel:${phone.replaceAll(/[^+\d]/g, "")}`;
  const link = (link: Link): FooterLink => ({
    ...targetOf(link.url === "tel:" ? phoneUrl : link.url),
    text: text(link.text),
  });
  const image = (label: string, source: LogoSource): FooterImage[] => {
    const logo = logos.get(`${source}.svg`);
    return logo ? [{ label, url: imageUrl("logos", logo) }] : [];
  };
  const icon = (name: string) => drawings.icons.get(name);
  return {
    teasers: teaser.groups
      .map((group) => ({
        icon: icon(group.heading.iconName),
        heading: link(group.heading.link),
        hideInCheckout: group.hideGroupInCheckout,
        paragraphs: [
          ...(group.introductoryText ? [text(group.introductoryText)].filter((paragraph) => paragraph !== "") : []),
          ...(group.imprint ? imprintLines(site, texts) : []),
        ],
        links: group.links
          .map((entry) => ({ link: link(entry.link), hideInClassic: entry.hideInClassic }))
          .filter(hasText),
      }))
      .filter(({ heading, links }) => heading.text && links.length > 0),
    seo: {
      heading: text(seo.heading),
      columns: seo.columns
        .map((column) => column.map(link).filter(({ text }) => text))
        .filter((column) => column.length > 0),
    },
    social: {
      heading: text(socialMedia.heading),
      links: socialMedia.socialMediaIcons
        .map((entry) => ({ icon: icon(entry.iconName), link: link(entry.link) }))
        .filter(hasText),
    },
    apps: {
      heading: text(appReferences.heading),
      links: appReferences.appIcons
        .map((entry) => ({ icon: icon(entry.iconName), link: link(entry.link) }))
        .filter(hasText),
    },
    payment: {
      heading: text("paymentAndDelivery.heading"),
      images: teaser.groups.flatMap((group) => group.images).flatMap(({ label, source }) => image(label, source)),
    },
    legal: {
      heading: text("legal.heading"),
      links: legalLinks
        .map((entry) => ({ ...link(entry), consent: entry.consent ?? false, prominent: entry.prominent ?? false }))
        .filter(({ text }) => text),
    },
    ...(salesTax && {
      salesTax: {
        before: text(salesTax.textBeforeLink),
        link: link(salesTax.link),
        after: salesTax.textAfterLink ? text(salesTax.textAfterLink) : "",
      },
    }),
    quality: {
      heading: text(qualityLogos.heading),
      logos: qualityLogos.logos.flatMap(({ link, certifiedBy, image: { label, source, width, height } }) =>
        image(label, source).map((found) => ({
          image: {
            ...found,
            width,
            height,
            ...(certifiedBy && { title: `${text("quality.certifiedBy")} ${certifiedBy}`.trim() }),
          },
          ...(link && { link: targetOf(link) }),
        })),
      ),
    },
    viewChanger: {
      heading: text("viewChanger.heading"),
      toMobile: text(viewChanger.toMobile),
      toDesktop: text(viewChanger.toDesktop),
    },
    switcher: buildSwitcher(context, site, text, (path) => targetOf(path).url),
  };
}
