import { distance } from "fastest-levenshtein";
import { mailProviders } from "../../rules/mail-providers.ts";

/** Domains of at least this length may have two wrong letters, shorter ones one. Swapped letters count as two. */
const longDomain = 8;

/**
 * Suggests a correction for an address that is a letter or two off a common mail provider.
 * @returns the whole address; undefined if no correction is needed
 */
export function suggestEmail(email: string): string | undefined {
  const at = email.lastIndexOf("@") + 1;
  const domain = email.slice(at).toLowerCase();
  // Some providers have names that differ by a letter or two.
  if (mailProviders.has(domain)) return undefined;
  const allowed = domain.length < longDomain ? 1 : 2;
  const near = [...mailProviders].filter((known) => distance(known, domain) <= allowed);
  const [best] = near.sort((a, b) => distance(a, domain) - distance(b, domain));
  return best && email.slice(0, at) + best;
}
