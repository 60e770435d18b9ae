import type { HeaderProps } from "../../client/features/header/Header.tsx";
import { brandImages } from "../brand/brand.ts";
import type { Site } from "../sites/countries.ts";
import type { RenderingContext } from "./rendering-context.ts";
import type { Session } from "./visitor.ts";

/** Returns what the header of a site shows, to a customer who is signed in or to everybody else. */
type ShopHeader = (site: Site, session?: Session) => Omit<HeaderProps, "assets">;

/** Creates the header of the shop's pages: brand, account and navigation, by each country's file. */
export function createShopHeader({
  assets,
  brand,
  drawings,
  texts,
}: Pick<RenderingContext, "assets" | "brand" | "drawings" | "texts">): ShopHeader {
  return (site, session) => {
    const { locale, navigation = [], account = {} } = site;
    const text = texts.translator(locale, "page", site.facts);
    const named = (key: string) => texts.find(locale, "page", key) ?? "";
    const icon = (name: string) => drawings.icons.get(name);
    const own = session
      ? { url: account.url, text: greet(session, site), icon: icon("user") }
      : { url: "/login", text: text("account.login"), icon: icon("user") };
    const others = (account.links ?? []).map((link) => ({ ...link, text: named(link.text), icon: icon(link.icon) }));
    return {
      site: site.site,
      locale,
      ...(brand.logo && { logo: { ...brand.logo, url: assets.url(brandImages.logo) } }),
      texts: {
        brand: brand.name,
        home: text("home"),
        navigation: text("nav.label"),
        account: text("account.label"),
      },
      navigation: navigation.map((link) => ({ url: link.url, text: named(link.text) })).filter(hasText),
      account: [own, ...others.filter(hasText)],
      ...(session && { logout: text("account.logout") }),
    };
  };

  /** Says who is signed in, as far as that is known. */
  function greet({ customer }: Session, { locale }: Site): string {
    // A provider may tell neither.
    const name = customer?.firstName || customer?.email;
    if (!name) return texts.translator(locale, "page")("account.own");
    return texts.translator(locale, "page", { name })("account.signedIn");
  }
}

/** Whether a link is shown: not when the locale lacks its text. */
function hasText({ text }: { text: string }): boolean {
  return text !== "";
}
