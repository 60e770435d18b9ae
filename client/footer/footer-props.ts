import type { IslandMarkup } from "../islands/Island.tsx";
import type { Platform } from "../rules/platform.ts";

export interface FooterLink {
  url: string;
  text: string;
  /** Screen readers say it after the text of a link that opens a new tab; only external links have it. */
  newTabHint?: string;
}

export interface FooterImage {
  label: string;
  url: string;
  width?: number;
  height?: number;
}

export interface TeaserGroup {
  icon: string;
  heading: FooterLink;
  hideInCheckout: boolean;
  introduction: string;
  links: { link: FooterLink; hideInClassic: boolean }[];
}

export interface IconLink {
  icon: string;
  link: FooterLink;
}

export interface CountrySwitcherItem {
  label: string;
  code: string;
  href: string;
  flag: string;
  selected: boolean;
  /** Locale of the target site, for `lang` and `hreflang`. */
  locale: string;
}

/** The parts that stay the same for every visitor of a site, as long as a version of its footer is valid. */
export interface FooterBodyProps {
  /** Address of the icon sprite. */
  sprite: string;
  teasers: TeaserGroup[];
  seo: { heading: string; columns: FooterLink[][] };
  social: { heading: string; links: IconLink[] };
  apps: { heading: string; links: IconLink[] };
  payment: { heading: string; images: FooterImage[] };
  legal: { heading: string; links: (FooterLink & { consent: boolean })[] };
  salesTax?: { before: string; link: FooterLink; after: string };
  quality: { heading: string; logos: { image: FooterImage; link?: Omit<FooterLink, "text"> }[] };
  viewChanger: { heading: string; toMobile: string; toDesktop: string };
  switcher: { heading: string; items: CountrySwitcherItem[] };
}

export interface PromotionProps {
  headline: string;
  text: string;
  link: FooterLink;
}

/** What the footer shows: texts are translated and addresses resolved, so that nothing is left to look up. */
export interface FooterProps {
  site: string;
  locale: string;
  /** The country's time zone: a name of the IANA database. */
  timeZone: string;
  /** What the edge knows of the visitor's platform; CLASSIC, the default, leaves the layout to the width of the window. */
  platform: Platform;
  reduced: boolean;
  /** The staff's preview panel, where staff have one, is put into this footer. */
  holdsPreviewPanel: boolean;
  /** The footer shows what staff preview: the shop at another time, or for another group of a test. */
  isPreviewed?: boolean;
  headline: string;
  /** Addresses of what the fragment loads itself; empty when the host page loads it. */
  assets: { styles: string[]; scripts: string[] };
  promotion?: PromotionProps;
  newsletter?: IslandMarkup;
  /** The number of the version of the site's footer that the body shows. */
  version: number;
  body: FooterBodyProps;
}
