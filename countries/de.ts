import type { Country } from "../schemas/types.ts";

export default {
  site: "DE",
  locale: "de-DE",
  footerLocale: "de",
  origin: "https://de.storefront.example",
  localHost: "de.localhost",
  timeZone: "Europe/Berlin",
  switcher: { code: "de", flag: "germany" },
  imprint: {
    address: "‹Musterweg 1, 20095 Hamburg›, Deutschland",
    register: "Registergericht ‹Hamburg›, HRB ‹12345›, Geschäftsführung: ‹Ada Beispiel›",
    url: "/service/imprint",
  },
  facts: { returnPeriod: 30 },
  apps: { android: "example.storefront.de", ios: "1000000001" },
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
    sender: "Storefront ‹GmbH›",
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
            {
              link: { url: "/faq?category=delivery&question=parcel-shop&title=delivery", text: "delivery.parcelShop" },
              hideInClassic: false,
            },
          ],
          images: [
            { label: "DHL", source: "dhl" },
            { label: "Hermes", source: "hermes" },
            { label: "Expressversand", source: "express" },
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
              link: { url: "/faq?category=returns&question=period&title=returns", text: "returns.periodDays" },
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
            { link: { url: "https://careers.storefront.example/de", text: "company.career" }, hideInClassic: false },
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
          link: { url: "https://social.storefront.example/de/facebook", text: "social.facebook" },
        },
        {
          iconName: "instagram",
          link: { url: "https://social.storefront.example/de/instagram", text: "social.instagram" },
        },
        {
          iconName: "pinterest",
          link: { url: "https://social.storefront.example/de/pinterest", text: "social.pinterest" },
        },
        { iconName: "tiktok", link: { url: "https://social.storefront.example/de/tiktok", text: "social.tiktok" } },
        { iconName: "youtube", link: { url: "https://social.storefront.example/de/youtube", text: "social.youtube" } },
      ],
    },
    appReferences: {
      heading: "apps.heading",
      appIcons: [
        { iconName: "app-store", link: { url: "https://apps.storefront.example/de/ios", text: "apps.appStore" } },
        {
          iconName: "google-play",
          link: { url: "https://apps.storefront.example/de/android", text: "apps.googlePlay" },
        },
      ],
    },
    legalLinks: [
      { url: "/service/imprint", text: "legal.imprint" },
      { url: "/service/privacy", text: "legal.privacy" },
      { url: "/service/cookies", text: "legal.consent", consent: true },
      { url: "/service/terms", text: "legal.terms" },
      { url: "/service/right-of-withdrawal", text: "legal.withdrawalRight" },
      // The notice of https://eur-lex.europa.eu/eli/reg_impl/2025/1960/oj
      { url: "/service/legal-guarantee", text: "legal.guarantee" },
      { url: "/service/withdraw-contract", text: "legal.withdraw", prominent: true },
      { url: "/service/cancel-contract", text: "legal.cancelContract", prominent: true },
      { url: "/service/accessibility", text: "legal.accessibility" },
      { url: "/service/disposal", text: "legal.disposal" },
      // A yearly public report: https://eur-lex.europa.eu/eli/reg/2023/1115/oj, Article 12(3);
      // the day from which it is due: https://eur-lex.europa.eu/eli/reg/2025/2650/oj
      {
        url: "/service/deforestation-free-supply-chains",
        text: "legal.deforestation",
        validFrom: "2026-12-30T00:00:00+01:00",
      },
      { url: "/service/whistleblowing", text: "legal.whistleblowing" },
    ],
    viewChanger: { toMobile: "viewChanger.toMobile", toDesktop: "viewChanger.toDesktop" },
    qualityLogos: {
      heading: "quality.heading",
      logos: [
        { link: "/service/quality", image: { label: "Qualität", source: "qualitaet", width: 80, height: 80 } },
        {
          image: {
            label: "bevh: Bundesverband E-Commerce und Versandhandel Deutschland",
            source: "bevh",
            width: 80,
            height: 80,
          },
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
