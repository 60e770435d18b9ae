import { distance } from "fastest-levenshtein";

/** The mail providers of most visitors, and others with similar names, which are no mistakes. */
const providers = [
  "gmail.com googlemail.com outlook.com outlook.de outlook.fr hotmail.com hotmail.de hotmail.fr live.com live.de msn.com",
  "yahoo.com yahoo.de yahoo.fr ymail.com icloud.com me.com mac.com aol.com aol.de hey.com mail.com proton.me",
  "protonmail.com gmx.de gmx.net gmx.at gmx.ch gmx.com web.de t-online.de freenet.de mail.de posteo.de mailbox.org",
  "arcor.de online.de aon.at chello.at a1.net bluewin.ch hispeed.ch sunrise.ch wp.pl o2.pl onet.pl op.pl interia.pl",
  "poczta.fm tlen.pl seznam.cz email.cz centrum.cz volny.cz post.cz azet.sk centrum.sk zoznam.sk post.sk pobox.sk",
  "freemail.hu citromail.hu t-online.hu indamail.hu mynet.com yandex.com yandex.com.tr hotmail.com.tr yahoo.com.tr",
].flatMap((line) => line.split(" "));

/** In domains of this length and longer two letters may be wrong, in shorter ones one. Swapped letters count as two. */
const longDomain = 8;

/**
 * Suggests what a visitor may have meant whose address is a letter or two off a well-known mail provider.
 * @returns the whole address; undefined when the given one needs no correction
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
