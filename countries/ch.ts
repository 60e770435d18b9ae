import type { Country } from "../schemas/types.ts";

export default {
  site: "CH",
  locale: "de-CH",
  footerLocale: "de",
  origin: "https://ch.storefront.example",
  localHost: "ch.localhost",
  timeZone: "Europe/Zurich",
  switcher: { code: "ch", flag: "switzerland" },
  imprint: {
    address: "‹Musterweg 1, 8001 Zürich›, Schweiz",
    register: "UID CHE-‹123.456.789›",
    url: "/service/imprint",
  },
  facts: { returnPeriod: 3 },
  apps: { android: "example.storefront.ch", ios: "1000000003" },
  login: { forgottenPassword: "/account/forgotten-password", register: "/account/register" },
  navigation: [
    { url: "/category/coffee", text: "nav.coffee" },
    { url: "/category/fashion", text: "nav.fashion" },
    { url: "/category/living", text: "nav.living" },
    { url: "/category/mobile", text: "nav.mobile" },
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
    sender: "Storefront ‹AG›",
    topics: "Kaffee, Mode, Wohnen und Mobilfunk",
    links: {
      privacy: "/service/privacy",
      contact: "/contact",
      voucherConditions: "/service/voucher-conditions",
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
    voucher: { discount: 10 },
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
            {
              link: { url: "/faq?category=payment&question=invoice&title=payment-methods", text: "payment.invoice" },
              hideInClassic: false,
            },
            {
              link: { url: "/faq?category=payment&question=card&title=payment-methods", text: "payment.card" },
              hideInClassic: false,
            },
            {
              link: { url: "/faq?category=payment&question=gift-card&title=payment-methods", text: "payment.giftCard" },
              hideInClassic: false,
            },
            { link: { url: "/service/secure-shopping", text: "payment.security" }, hideInClassic: false },
          ],
          images: [
            { label: "PostFinance Card", source: "pfdc" },
            { label: "PostFinance E-Finance", source: "pfef" },
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
            {
              link: { url: "/faq?category=delivery&question=costs&title=delivery", text: "delivery.costs" },
              hideInClassic: false,
            },
            {
              link: { url: "/faq?category=delivery&question=tracking&title=delivery", text: "delivery.tracking" },
              hideInClassic: false,
            },
          ],
          images: [
            { label: "Die Post", source: "chPost" },
            { label: "Paketversand in der Schweiz", source: "chVersand" },
          ],
        },
        {
          heading: { iconName: "pickup", link: { url: "/service/click-and-collect", text: "pickup.heading" } },
          hideGroupInCheckout: true,
          introductoryText: "pickup.intro",
          links: [
            { link: { url: "/service/click-and-collect", text: "pickup.overview" }, hideInClassic: true },
            {
              link: {
                url: "/faq?category=click-and-collect&question=duration&title=click-and-collect",
                text: "pickup.duration",
              },
              hideInClassic: false,
            },
            { link: { url: "/service/storefinder/", text: "pickup.stores" }, hideInClassic: false },
          ],
          images: [],
        },
        {
          heading: { iconName: "returns", link: { url: "/service/returns", text: "returns.heading" } },
          hideGroupInCheckout: false,
          introductoryText: "returns.intro",
          links: [
            { link: { url: "/service/returns", text: "returns.overview" }, hideInClassic: true },
            {
              link: { url: "/faq?category=returns&question=period&title=returns", text: "returns.periodMonths" },
              hideInClassic: false,
            },
            { link: { url: "/service/returns/label", text: "returns.label" }, hideInClassic: false },
            {
              link: { url: "/faq?category=returns&question=refund&title=returns", text: "returns.refund" },
              hideInClassic: false,
            },
            { link: { url: "/service/complaints", text: "returns.complaint" }, hideInClassic: false },
          ],
          images: [],
        },
        {
          heading: { iconName: "service", link: { url: "/service", text: "service.heading" } },
          hideGroupInCheckout: false,
          introductoryText: "service.intro",
          links: [
            { link: { url: "/service", text: "service.overview" }, hideInClassic: true },
            { link: { url: "/faq", text: "service.faq" }, hideInClassic: false },
            { link: { url: "/contact", text: "service.contact" }, hideInClassic: false },
            {
              link: { url: "/faq?category=orders&question=order-status&title=orders", text: "service.orderStatus" },
              hideInClassic: false,
            },
            { link: { url: "/service/size-guide", text: "service.sizes" }, hideInClassic: false },
            { link: { url: "/subscribenewsletter", text: "service.newsletter" }, hideInClassic: false },
          ],
          images: [],
        },
        {
          heading: { iconName: "loyalty-card", link: { url: "/service/loyalty-card", text: "card.heading" } },
          hideGroupInCheckout: true,
          introductoryText: "card.intro",
          links: [
            { link: { url: "/service/loyalty-card", text: "card.overview" }, hideInClassic: true },
            { link: { url: "/registerfreeloyaltycard", text: "card.register" }, hideInClassic: false },
            { link: { url: "/registerfreeprivatecard", text: "card.registerPrivate" }, hideInClassic: false },
            { link: { url: "/service/loyalty-card/balance", text: "card.balance" }, hideInClassic: false },
          ],
          images: [],
        },
        {
          heading: { iconName: "more-services", link: { url: "/service/more", text: "more.heading" } },
          hideGroupInCheckout: true,
          links: [
            { link: { url: "/service/more", text: "more.overview" }, hideInClassic: true },
            { link: { url: "/service/gift-card", text: "more.giftCard" }, hideInClassic: false },
            { link: { url: "/service/coffee-subscription", text: "more.subscription" }, hideInClassic: false },
            { link: { url: "/category/mobile", text: "more.mobile" }, hideInClassic: false },
            { link: { url: "/service/manuals", text: "more.manuals" }, hideInClassic: false },
            { link: { url: "/service/spare-parts", text: "more.spareParts" }, hideInClassic: false },
          ],
          images: [],
        },
        {
          heading: { iconName: "company", link: { url: "/service/company", text: "company.heading" } },
          hideGroupInCheckout: true,
          links: [
            { link: { url: "/service/company", text: "company.overview" }, hideInClassic: true },
            { link: { url: "https://careers.storefront.example/ch", text: "company.career" }, hideInClassic: false },
            { link: { url: "/service/sustainability", text: "company.sustainability" }, hideInClassic: false },
            { link: { url: "/service/press", text: "company.press" }, hideInClassic: false },
            { link: { url: "/service/supply-chain", text: "company.suppliers" }, hideInClassic: false },
          ],
          images: [],
        },
      ],
    },
    seo: {
      heading: "seo.heading",
      columns: [
        [
          { url: "/category/coffee", text: "category.coffee" },
          { url: "/category/whole-beans", text: "category.wholeBeans" },
          { url: "/category/capsules", text: "category.capsules" },
          { url: "/category/coffee-machines", text: "category.coffeeMachines" },
        ],
        [
          { url: "/category/women-fashion", text: "category.womenFashion" },
          { url: "/category/men-fashion", text: "category.menFashion" },
          { url: "/category/kids", text: "category.kids" },
          { url: "/category/sport", text: "category.sport" },
        ],
        [
          { url: "/category/living-furniture", text: "category.furniture" },
          { url: "/category/kitchen", text: "category.kitchen" },
          { url: "/category/sleeping", text: "category.sleeping" },
          { url: "/category/garden", text: "category.garden" },
        ],
        [
          { url: "/category/new", text: "category.newIn" },
          { url: "/category/gifts", text: "category.gifts" },
          { url: "/category/mobile", text: "category.mobile" },
          { url: "/category/discounts", text: "category.discounts" },
        ],
      ],
    },
    socialMedia: {
      heading: "social.heading",
      socialMediaIcons: [
        {
          iconName: "facebook",
          link: { url: "https://social.storefront.example/ch/facebook", text: "social.facebook" },
        },
        {
          iconName: "instagram",
          link: { url: "https://social.storefront.example/ch/instagram", text: "social.instagram" },
        },
        {
          iconName: "pinterest",
          link: { url: "https://social.storefront.example/ch/pinterest", text: "social.pinterest" },
        },
        { iconName: "youtube", link: { url: "https://social.storefront.example/ch/youtube", text: "social.youtube" } },
      ],
    },
    appReferences: {
      heading: "apps.heading",
      appIcons: [
        { iconName: "app-store", link: { url: "https://apps.storefront.example/ch/ios", text: "apps.appStore" } },
        {
          iconName: "google-play",
          link: { url: "https://apps.storefront.example/ch/android", text: "apps.googlePlay" },
        },
      ],
    },
    legalLinks: [
      { url: "/service/imprint", text: "legal.imprint" },
      { url: "/service/privacy", text: "legal.privacy" },
      { url: "/service/cookies", text: "legal.consent", consent: true },
      { url: "/service/terms", text: "legal.terms" },
      { url: "/service/disposal", text: "legal.disposal" },
    ],
    viewChanger: { toMobile: "viewChanger.toMobile", toDesktop: "viewChanger.toDesktop" },
    qualityLogos: {
      heading: "quality.heading",
      logos: [
        { link: "/service/quality", image: { label: "Qualität", source: "qualitaet", width: 80, height: 80 } },
        {
          link: "/service/sustainability",
          image: { label: "Gut gemacht: mehr zur Nachhaltigkeit", source: "gutGemacht", width: 90, height: 90 },
        },
        {
          link: "/service/sustainability",
          image: { label: "Green: unser Engagement für Nachhaltigkeit", source: "green", width: 80, height: 80 },
        },
        {
          link: "/service/career",
          image: { label: "Great Place to Work: ausgezeichneter Arbeitgeber", source: "gptw", width: 80, height: 80 },
          certifiedBy: "Great Place To Work",
        },
      ],
    },
    salesTax: {
      textBeforeLink: "salesTax.before",
      link: { url: "/service/delivery", text: "salesTax.link" },
      textAfterLink: "salesTax.after",
    },
  },
} satisfies Country;
