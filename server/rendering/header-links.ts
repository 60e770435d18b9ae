import type { ShopPageProps } from "../../client/pages/ShopPage.tsx";
import type { Translate } from "../platform/texts.ts";

/** Lists the links to the shop's categories. */
export function navigationLinks(text: Translate<"page">): ShopPageProps["navigation"] {
  return [
    { url: "/category/coffee", text: text("nav.coffee") },
    { url: "/category/fashion", text: text("nav.fashion") },
    { url: "/category/living", text: text("nav.living") },
    { url: "/category/mobile", text: text("nav.mobile") },
    { url: "/category/discounts", text: text("nav.sale") },
  ];
}

/**
 * Lists the links to what is a visitor's own.
 * @param signedIn - what the link to the account says; undefined while nobody is signed in
 */
export function accountLinks(text: Translate<"page">, signedIn?: string): ShopPageProps["account"] {
  return [
    signedIn === undefined
      ? { url: "/login", text: text("account.login"), icon: "user" }
      : { url: "/account", text: signedIn, icon: "user" },
    { url: "/wishlist", text: text("account.wishlist"), icon: "heart" },
    { url: "/bag", text: text("account.bag"), icon: "bag" },
  ];
}
