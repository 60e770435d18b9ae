import type { Moment } from "../../client/rules/time.ts";
import type { Country, Footer, Notice } from "../../schemas/types.ts";
import type { Translate } from "../platform/texts.ts";
import { isValidAt, periodOf, type Validity } from "../platform/time.ts";

/** A footer with only the entries that are valid at one moment. */
export interface ValidFooter extends Omit<Footer, "salesTax"> {
  salesTax?: Notice | undefined;
}

export interface FooterChange {
  at: Moment;
  /** The name of the entry for staff: its text, or the label of its image. */
  name: string;
  change: "starts" | "ends";
}

/**
 * Lists the starts and ends of a footer's entries, in the order of time.
 * @param text - returns the footer's texts, in the language for the names of changes
 */
export function footerChanges(footer: Footer, text: Translate<"footer">): FooterChange[] {
  const { teaser, seo, socialMedia, appReferences, legalLinks, qualityLogos, salesTax } = footer;
  const icons = [...socialMedia.socialMediaIcons, ...appReferences.appIcons];
  const changes = [
    ...[...teaser.groups.flatMap(({ links }) => links), ...icons].map((entry) =>
      changesOf(entry, text(entry.link.text)),
    ),
    ...[...seo.columns.flat(), ...legalLinks].map((link) => changesOf(link, text(link.text))),
    ...teaser.groups.flatMap(({ images }) => images).map((image) => changesOf(image, image.label)),
    ...qualityLogos.logos.map((seal) => changesOf(seal, seal.image.label)),
    ...[salesTax].flat().map((notice) => changesOf(notice, `${text(notice.textBeforeLink)} ${text(notice.link.text)}`)),
  ];
  return changes.flat().sort((a, b) => a.at - b.at);
}

/** Lists the dated entries of footers that have ended by a moment, each with its end in the time of its site. */
export function findEnded(sites: readonly Pick<Country, "site" | "timeZone" | "footer">[], at: Moment) {
  return sites.flatMap(({ site, timeZone, footer }) =>
    footerChanges(footer, (key) => key)
      .filter(({ change, at: end }) => change === "ends" && end <= at)
      .map(({ name, at: end }) => {
        const ended = Temporal.Instant.fromEpochMilliseconds(end).toString({ timeZone });
        return { site, entry: name, ended };
      }),
  );
}

/** Lists the start of each version of a footer. The first version starts at -Infinity. */
export function versionStarts(footer: Footer): Moment[] {
  return [-Infinity, ...new Set(footerChanges(footer, (key) => key).map(({ at }) => at))];
}

/** Returns the number of the version that is valid at a moment, counted from 0. */
export function versionAt(starts: readonly Moment[], at: Moment): number {
  return starts.findLastIndex((start) => start <= at);
}

/** Returns the end of the version that is valid at a moment; Infinity for the last one. */
export function nextVersionStart(starts: readonly Moment[], at: Moment): Moment {
  return starts.find((start) => start > at) ?? Infinity;
}

/** Returns a footer with only the entries that are valid at a moment. */
export function footerAt(footer: Footer, at: Moment): ValidFooter {
  const { teaser, seo, socialMedia, appReferences, legalLinks, qualityLogos, salesTax } = footer;
  const valid = <Entry extends Validity>(entries: Entry[]) => entries.filter((entry) => isValidAt(entry, at));
  return {
    ...footer,
    teaser: {
      groups: teaser.groups.map((group) => ({ ...group, links: valid(group.links), images: valid(group.images) })),
    },
    seo: { ...seo, columns: seo.columns.map(valid) },
    socialMedia: { ...socialMedia, socialMediaIcons: valid(socialMedia.socialMediaIcons) },
    appReferences: { ...appReferences, appIcons: valid(appReferences.appIcons) },
    legalLinks: valid(legalLinks),
    qualityLogos: { ...qualityLogos, logos: valid(qualityLogos.logos) },
    salesTax: valid([salesTax].flat())[0],
  };
}

/** Returns a footer with all its entries, whatever their dates. */
export function undated(footer: Footer): Footer {
  return JSON.parse(JSON.stringify(footer, (field, value) => (/^valid(From|To)$/.test(field) ? undefined : value)));
}

function changesOf(validity: Validity, name: string): FooterChange[] {
  const { from, to } = periodOf(validity);
  const changes: FooterChange[] = [
    { at: from, name, change: "starts" },
    { at: to, name, change: "ends" },
  ];
  return changes.filter(({ at }) => Number.isFinite(at));
}
