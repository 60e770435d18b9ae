import type {
  CountrySwitcherItem,
  FooterBodyProps,
  FooterImage,
  FooterLink,
  FooterProps,
} from "../../client/footer/footer-props.ts";
import { isExternal } from "../../client/links/link-target.ts";
import type { Footer as FooterData, FooterParameters, Link, LogoSource, Promotion } from "../../schemas/types.ts";
import type { AssetNames, Assets } from "../assets.ts";
import type { CountryRegistry, Site } from "../countries.ts";
import type { Texts, Translate } from "../i18n.ts";
import type { Logos } from "../logos.ts";
import type { NewsletterIslands } from "../newsletter/newsletter-islands.ts";

export interface FooterSources {
  countries: CountryRegistry;
  texts: Texts;
  assets: Assets;
  logos: Logos;
  newsletter: NewsletterIslands;
}

const newsletterPlace = { origin: "NEWSLETTER", originAddition: "footer", level: 3 } as const;

/** Builds what the footer shows from a country's data, its texts, the parameters of the request and the promotion. */
export function buildFooterProps(
  { assets, ...sources }: FooterSources,
  site: Site,
  parameters: FooterParameters,
  files: AssetNames,
  promotion?: Promotion,
): FooterProps {
  const text = sources.texts.translator(site.footerLocale, "footer", site.facts);
  const link = linkBuilder(text);
  const inline = parameters.assets === "inline";
  return {
    site: site.site,
    locale: site.locale,
    timeZone: site.timeZone,
    platform: parameters.platform,
    reduced: parameters.reduced,
    preview: parameters.preview,
    headline: text(site.footer.headline),
    assets: inline ? assets.urls(files) : { styles: [], scripts: [] },
    ...(promotion && {
      promotion: { ...promotion, link: { ...promotion.link, ...newTab(promotion.link.url, text) } },
    }),
    ...(parameters.newsletter && {
      newsletter: sources.newsletter(site, newsletterPlace, "footer-newsletter"),
    }),
    body: buildBody({ assets, ...sources }, site, text, link),
  };
}

type LinkBuilder = (link: Link) => FooterLink;

function linkBuilder(text: Translate<"footer">): LinkBuilder {
  return (link) => ({ url: link.url, text: text(link.text), ...newTab(link.url, text) });
}

function newTab(url: string, text: Translate<"footer">) {
  return isExternal(url) ? { newTabHint: text("link.opensInNewTab") } : {};
}

function buildBody(
  { countries, assets, logos }: Omit<FooterSources, "newsletter">,
  site: Site,
  text: Translate<"footer">,
  link: LinkBuilder,
): FooterBodyProps {
  const { teaser, seo, socialMedia, appReferences, legalLinks, viewChanger, qualityLogos, salesTax } = site.footer;
  const image = (label: string, source: LogoSource): FooterImage[] => {
    const url = logos.url(source);
    return url ? [{ label, url }] : [];
  };
  return {
    sprite: assets.path("icons.svg"),
    teasers: teaser.groups.map((group) => ({
      icon: group.heading.iconName,
      heading: link(group.heading.link),
      hideInCheckout: group.hideGroupInCheckout,
      introduction: group.introductoryText ? text(group.introductoryText) : "",
      links: group.links.map((entry) => ({ link: link(entry.link), hideInClassic: entry.hideInClassic })),
    })),
    seo: { heading: text(seo.heading), columns: seo.columns.map((column) => column.map(link)) },
    social: {
      heading: text(socialMedia.heading),
      links: socialMedia.socialMediaIcons.map((icon) => ({ icon: icon.iconName, link: link(icon.link) })),
    },
    apps: {
      heading: text(appReferences.heading),
      links: appReferences.appIcons.map((icon) => ({ icon: icon.iconName, link: link(icon.link) })),
    },
    payment: {
      heading: text("paymentAndDelivery.heading"),
      images: teaser.groups.flatMap((group) => group.images).flatMap(({ label, source }) => image(label, source)),
    },
    legal: {
      heading: text("legal.heading"),
      links: legalLinks.map((entry) => ({ ...link(entry), consent: entry.consent ?? false })),
    },
    salesTax: {
      before: text(salesTax.textBeforeLink),
      link: link(salesTax.link),
      after: salesTax.textAfterLink ? text(salesTax.textAfterLink) : "",
    },
    quality: {
      heading: text(qualityLogos.heading),
      logos: qualityLogos.logos.flatMap((logo) => buildSeal(logo, image, text)),
    },
    viewChanger: {
      heading: text("viewChanger.heading"),
      toMobile: text(viewChanger.toMobile),
      toDesktop: text(viewChanger.toDesktop),
    },
    switcher: { heading: text("switcher.heading"), items: buildSwitcher(countries, site) },
  };
}

function buildSeal(
  { link, image }: FooterData["qualityLogos"]["logos"][number],
  images: (label: string, source: LogoSource) => FooterImage[],
  text: Translate<"footer">,
) {
  return images(image.label, image.source).map((found) => ({
    image: { ...found, width: image.width, height: image.height },
    ...(link && { link: { url: link, ...newTab(link, text) } }),
  }));
}

/** Every site under the name its own visitors use, in the order of those names. */
function buildSwitcher(countries: CountryRegistry, current: Site): CountrySwitcherItem[] {
  return countries.sites
    .map((site) => ({
      label: countryName(site.locale),
      code: site.switcher.code,
      href: `${site.origin}/`,
      flag: site.switcher.flag,
      selected: site.site === current.site,
      locale: site.locale,
    }))
    .sort((a, b) => a.label.localeCompare(b.label, "en"));
}

function countryName(locale: string): string {
  const { region = "" } = new Intl.Locale(locale);
  return new Intl.DisplayNames(locale, { type: "region" }).of(region) ?? region;
}
