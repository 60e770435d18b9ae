import type { AssetFiles } from "../../assets/AssetTags.tsx";
import type { IslandMarkup } from "../../islands/Island.tsx";
import type { Platform } from "../../rules/platform.ts";

export interface FooterLink {
  url: string;
  text: string;
  /** Announced after the text of a link that opens a new tab; only external links have it. */
  newTabHint?: string;
}

export interface FooterImage {
  label: string;
  url: string;
  width?: number;
  height?: number;
  /** Shown while the pointer is on the image. */
  title?: string;
}

interface TeaserGroup {
  /** The cell of the icon in the sprite; undefined if the sprite has no icon of the name in the country's file. */
  icon: string | undefined;
  heading: FooterLink;
  hideInCheckout: boolean;
  /** The introduction and, where the country shows it here, the imprint. */
  paragraphs: string[];
  links: { link: FooterLink; hideInClassic: boolean }[];
}

interface IconLink {
  icon: string | undefined;
  link: FooterLink;
}

export interface CountryLink {
  label: string;
  code: string;
  href: string;
  /** The cell of the flag in the sprite; undefined if the sprite has no flag of the name in the country's file. */
  flag: string | undefined;
  /** Locale of the target site. */
  locale: string;
}

export interface CountrySwitcherProps {
  heading: string;
  current: CountryLink;
  /** The sites of all countries; missing if there are too many for a footer. */
  items?: CountryLink[];
  /** The page that lists them if `items` is missing. */
  url?: string;
}

/** The parts that are the same for all visitors of a site as long as a version of its footer is valid. */
export interface FooterBodyProps {
  teasers: TeaserGroup[];
  seo: { heading: string; columns: FooterLink[][] };
  social: { heading: string; links: IconLink[] };
  apps: { heading: string; links: IconLink[] };
  payment: { heading: string; images: FooterImage[] };
  legal: { heading: string; links: (FooterLink & { consent: boolean; prominent: boolean })[] };
  salesTax?: { before: string; link: FooterLink; after: string };
  quality: { heading: string; logos: { image: FooterImage; link?: Omit<FooterLink, "text"> }[] };
  viewChanger: { heading: string; toMobile: string; toDesktop: string };
  switcher: CountrySwitcherProps;
}

interface PromotionProps {
  headline: string;
  text: string;
  link: FooterLink;
}

/** The props of the footer. Texts are translated and addresses resolved. */
export interface FooterProps {
  site: string;
  locale: string;
  /** The country's time zone: a name in the IANA database. */
  timeZone: string;
  /** The visitor's platform as the edge knows it. CLASSIC, the default, leaves the layout to the window's width. */
  platform: Platform;
  reduced: boolean;
  /** Whether the preview panel of staff is shown in this footer. */
  holdsPreviewPanel: boolean;
  /** Whether the footer shows a staff preview: another time, or another group of an A/B test. */
  isPreviewed?: boolean;
  /** The group of an A/B test that sees this footer: `<test>:<group>`. */
  variant?: string;
  headline: string;
  /** Whether links to the site's own pages are absolute, for pages on other hosts. */
  hasAbsoluteLinks?: boolean;
  /** The files that the fragment loads; empty if the host page loads them. */
  assets: AssetFiles;
  promotion?: PromotionProps;
  newsletter?: IslandMarkup;
  /** Identifies the content of the content service; missing for built-in content. */
  content?: string;
  /** The number of the version of the footer that is shown. */
  version: number;
  body: FooterBodyProps;
}
