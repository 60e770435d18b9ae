import type { Site } from "./countries.ts";

/** Tells whether a site has every text by which visitors consent: without its words, there is no consent. */
export function offersNewsletter({ missingConsentTexts }: Pick<Site, "missingConsentTexts">): boolean {
  return missingConsentTexts.length === 0;
}
