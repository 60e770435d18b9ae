import type { Link } from "../../../schemas/types.ts";
import { splitLinks } from "../../platform/text-links.ts";
import type { Texts, Translate } from "../../platform/texts.ts";
import { accountLinks, navigationLinks } from "../../rendering/page-renderer.tsx";
import type { Site } from "../../sites/countries.ts";
import { legalTexts, offersTexts, textValues } from "../../sites/legal-texts.ts";
import { footerTextLocale } from "../../sites/site.ts";

interface NamedLink {
  url?: string | undefined;
  text: string;
}

/**
 * Names the pages that a site's header, footer, login page and newsletter link to by the text of the first link.
 * @returns names by path, with and without the link's query
 */
export function namePages(site: Site, texts: Texts): ReadonlyMap<string, string> {
  const { footer, locale, login, newsletter } = site;
  const pageText = texts.translator(locale, "page");
  const loginText = texts.translator(locale, "login");
  const newsletterText = texts.translator(locale, "newsletter", textValues(locale, newsletter));
  const links: NamedLink[] = [
    ...[...navigationLinks(pageText), ...accountLinks(pageText), ...accountLinks(pageText, pageText("account.own"))],
    ...footerLinks(footer, texts.translator(footerTextLocale(site), "footer", site.facts)),
    { url: login.forgottenPassword, text: loginText("forgottenPassword") },
    { url: login.register, text: loginText("register.link") },
    ...[...legalTexts(newsletter), ...offersTexts(newsletter)].flatMap((key) =>
      splitLinks(newsletterText(key), newsletter.links),
    ),
    ...footer.qualityLogos.logos.map(({ link, image }) => ({ url: link, text: image.label })),
  ];
  const names = new Map<string, string>();
  for (const { url, text } of links) {
    if (url === undefined) continue;
    const [path = url] = url.split("?");
    for (const key of [url, path]) if (!names.has(key)) names.set(key, capitalize(text, locale));
  }
  return names;
}

/** Lists the links in a part of the footer. Their texts are keys in the country's file. */
function footerLinks(part: unknown, text: Translate<"footer">): NamedLink[] {
  if (typeof part !== "object" || part === null) return [];
  return isLink(part)
    ? [{ url: part.url, text: text(part.text) }]
    : Object.values(part).flatMap((child) => footerLinks(child, text));
}

function isLink(part: object): part is Link {
  return "url" in part && "text" in part;
}

/** Capitalizes a name, because its link may stand within a sentence. */
function capitalize(text: string, locale: string): string {
  const [first = ""] = text;
  return first.toLocaleUpperCase(locale) + text.slice(first.length);
}
