import { distance } from "fastest-levenshtein";

/** Common mail providers, and others with similar names, which aren't typos. */
const providers = [
  "gmail.com googlemail.com outlook.com outlook.de outlook.fr hotmail.com hotmail.de hotmail.fr live.com live.de msn.com",
  "yahoo.com yahoo.de yahoo.fr ymail.com icloud.com me.com mac.com aol.com aol.de hey.com mail.com proton.me",
  "protonmail.com gmx.de gmx.net gmx.at gmx.ch gmx.com web.de t-online.de freenet.de mail.de posteo.de mailbox.org",
  "arcor.de online.de aon.at chello.at a1.net bluewin.ch hispeed.ch sunrise.ch wp.pl o2.pl onet.pl op.pl interia.pl",
  "poczta.fm tlen.pl seznam.cz email.cz centrum.cz volny.cz post.cz azet.sk centrum.sk zoznam.sk post.sk pobox.sk",
  "freemail.hu citromail.hu t-online.hu indamail.hu mynet.com yandex.com yandex.com.tr hotmail.com.tr yahoo.com.tr",
].flatMap((line) => line.split(" "));

/** Domains of at least this length may have two wrong letters, shorter ones one. Swapped letters count as two. */
const longDomain = 8;

/**
 * Suggests a correction for an address that is a letter or two off a common mail provider.
 * @returns the whole address; undefined if no correction is needed
 */
export function suggestEmail(email: string): string | undefined {
  const at = email.lastIndexOf("@") + 1;
  const domain = email.slice(at).toLowerCase();
  if (providers.includes(domain)) return undefined;
  const allowed = domain.length < longDomain ? 1 : 2;
  const near = providers.filter((known) => distance(known, domain) <= allowed);
  const [best] = near.sort((a, b) => distance(a, domain) - distance(b, domain));
  return best && email.slice(0, at) + best;
}
