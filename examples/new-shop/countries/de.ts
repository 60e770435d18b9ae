import type { Country } from "storefront-fragments/types";

// Every text of the footer is a key of locales/de/footer.json, yours or the built-in one.
export default {
  site: "DE",
  locale: "de-DE",
  footerLocale: "de",
  origin: "https://de.my-shop.example",
  localHost: "de.localhost",
  timeZone: "Europe/Berlin",
  switcher: { code: "de", flag: "germany" },
  // brand.json has the company's data.
  imprint: { address: "‹brand.json›", register: "‹brand.json›", url: "/service/imprint" },
  facts: { returnPeriod: 30 },
  login: { forgottenPassword: "/account/forgotten-password", register: "/account/register" },
  // Texts of the header are keys of locales/de/page.json.
  navigation: [
    { url: "/category/all", text: "nav.all" },
    { url: "/category/new", text: "nav.new" },
    { url: "/category/discounts", text: "nav.sale" },
  ],
  account: {
    url: "/account",
    links: [
      { url: "/wishlist", text: "account.wishlist", icon: "heart" },
      { url: "/bag", text: "account.bag", icon: "bag" },
    ],
  },
  newsletter: {
    sender: "‹brand.json›",
    // Subscribers choose among these: add those of the schema that suit what you sell.
    categories: ["DISCOUNTS"],
    links: {
      privacy: "/service/privacy",
      contact: "/contact",
      exampleNewsletter: "/service/newsletter/example",
    },
    salutation: "optional",
    names: "optional",
    legals: false,
    personalisedOffers: "expandable",
    lockPrefilled: false,
    minimumAge: 16,
    confirmWithinDays: 7,
    deleteUnconfirmedAfterDays: 30,
  },
  footer: {
    headline: "headline",
    teaser: {
      groups: [
        {
          heading: { iconName: "payment", link: { url: "/service/payment-methods", text: "payment.heading" } },
          hideGroupInCheckout: false,
          introductoryText: "payment.intro",
          links: [
            { link: { url: "/service/payment-methods", text: "payment.overview" }, hideInClassic: true },
            { link: { url: "/service/secure-shopping", text: "payment.security" }, hideInClassic: false },
          ],
          images: [
            { label: "Visa", source: "visa" },
            { label: "Mastercard", source: "mastercard" },
            { label: "PayPal", source: "paypal" },
          ],
        },
        {
          heading: { iconName: "delivery", link: { url: "/service/delivery", text: "delivery.heading" } },
          hideGroupInCheckout: false,
          introductoryText: "delivery.intro",
          links: [
            { link: { url: "/service/delivery", text: "delivery.overview" }, hideInClassic: true },
            { link: { url: "/service/tracking", text: "delivery.tracking" }, hideInClassic: false },
          ],
          images: [{ label: "DHL", source: "dhl" }],
        },
        {
          heading: { iconName: "returns", link: { url: "/service/returns", text: "returns.heading" } },
          hideGroupInCheckout: false,
          introductoryText: "returns.intro",
          links: [
            { link: { url: "/service/returns", text: "returns.overview" }, hideInClassic: true },
            { link: { url: "/service/returns/period", text: "returns.periodDays" }, hideInClassic: false },
          ],
          images: [],
        },
        {
          heading: { iconName: "company", link: { url: "/service/company", text: "company.heading" } },
          hideGroupInCheckout: true,
          links: [
            { link: { url: "/service/company", text: "company.overview" }, hideInClassic: true },
            { link: { url: "/service/story", text: "company.story" }, hideInClassic: false },
            { link: { url: "/contact", text: "service.contact" }, hideInClassic: false },
          ],
          images: [],
        },
      ],
    },
    seo: {
      heading: "seo.heading",
      columns: [
        [
          { url: "/category/all", text: "category.all" },
          { url: "/category/new", text: "category.newIn" },
        ],
        [{ url: "/category/discounts", text: "category.discounts" }],
      ],
    },
    socialMedia: {
      heading: "social.heading",
      // Each of your pages is `{ iconName: "instagram", link: { url: "https://…", text: "social.instagram" } }`.
      socialMediaIcons: [],
    },
    appReferences: { heading: "apps.heading", appIcons: [] },
    legalLinks: [
      { url: "/service/imprint", text: "legal.imprint" },
      { url: "/service/privacy", text: "legal.privacy" },
      { url: "/service/cookies", text: "legal.consent", consent: true },
      { url: "/service/terms", text: "legal.terms" },
      { url: "/service/right-of-withdrawal", text: "legal.withdrawalRight" },
      { url: "/service/legal-guarantee", text: "legal.guarantee" },
      { url: "/service/withdraw-contract", text: "legal.withdraw", prominent: true },
      { url: "/service/accessibility", text: "legal.accessibility" },
    ],
    viewChanger: { toMobile: "viewChanger.toMobile", toDesktop: "viewChanger.toDesktop" },
    qualityLogos: { heading: "quality.heading", logos: [] },
    salesTax: {
      textBeforeLink: "salesTax.before",
      link: { url: "/service/delivery", text: "salesTax.link" },
      textAfterLink: "salesTax.after",
    },
  },
} satisfies Country;
