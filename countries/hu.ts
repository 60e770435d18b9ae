import type { Country } from "../schemas/types.ts";

export default {
  site: "HU",
  locale: "hu-HU",
  footerLocale: "hu-HU",
  origin: "https://hu.storefront.example",
  localHost: "hu.localhost",
  timeZone: "Europe/Budapest",
  switcher: { code: "hu", flag: "hungary" },
  imprint: {
    address: "‹1051 Budapest, Minta utca 1.›, Magyarország",
    register:
      "Nyilvántartó cégbíróság: ‹Fővárosi Törvényszék Cégbírósága›, cégjegyzékszám: ‹01-09-123456›, adószám: ‹12345678-2-41›",
    url: "/service/imprint",
  },
  facts: { returnPeriod: 30 },
  apps: { android: "example.storefront.hu", ios: "1000000006" },
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
    sender: "Storefront ‹Kft.›",
    topics: "kávé, divat, lakberendezés és mobilszolgáltatás",
    links: {
      privacy: "/service/privacy",
      contact: "/contact",
      voucherConditions: "/service/voucher-conditions",
      exampleNewsletter: "/service/newsletter/example",
    },
    salutation: "required",
    names: "required",
    familyNameFirst: true,
    legals: false,
    personalisedOffers: "expandable",
    lockPrefilled: true,
    minimumAge: 16,
    confirmWithinDays: 7,
    deleteUnconfirmedAfterDays: 30,
    voucher: { discount: 10, validMonths: 1, singleUse: true },
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
            { label: "SPS", source: "sps" },
          ],
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
            { link: { url: "/service/storefinder/", text: "stores.overview" }, hideInClassic: false },
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
          heading: { iconName: "more-services", link: { url: "/service/more", text: "more.headingProducts" } },
          hideGroupInCheckout: true,
          links: [
            { link: { url: "/service/more", text: "more.overviewProducts" }, hideInClassic: true },
            { link: { url: "/service/coffee-knowledge", text: "more.coffeeKnowledge" }, hideInClassic: false },
            { link: { url: "/service/manuals", text: "more.manuals" }, hideInClassic: false },
            { link: { url: "/service/spare-parts", text: "more.spareParts" }, hideInClassic: false },
            { link: { url: "/service/gift-card", text: "more.giftCard" }, hideInClassic: false },
          ],
          images: [],
        },
        {
          heading: { iconName: "company", link: { url: "/service/company", text: "company.heading" } },
          hideGroupInCheckout: true,
          links: [
            { link: { url: "/service/company", text: "company.overview" }, hideInClassic: true },
            { link: { url: "https://careers.storefront.example/hu", text: "company.career" }, hideInClassic: false },
            { link: { url: "/service/sustainability", text: "company.sustainability" }, hideInClassic: false },
            { link: { url: "/service/press", text: "company.press" }, hideInClassic: false },
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
          link: { url: "https://social.storefront.example/hu/facebook", text: "social.facebook" },
        },
        {
          iconName: "instagram",
          link: { url: "https://social.storefront.example/hu/instagram", text: "social.instagram" },
        },
        { iconName: "tiktok", link: { url: "https://social.storefront.example/hu/tiktok", text: "social.tiktok" } },
        { iconName: "youtube", link: { url: "https://social.storefront.example/hu/youtube", text: "social.youtube" } },
      ],
    },
    appReferences: {
      heading: "apps.heading",
      appIcons: [
        { iconName: "app-store", link: { url: "https://apps.storefront.example/hu/ios", text: "apps.appStore" } },
        {
          iconName: "google-play",
          link: { url: "https://apps.storefront.example/hu/android", text: "apps.googlePlay" },
        },
      ],
    },
    legalLinks: [
      { url: "/service/imprint", text: "legal.imprint" },
      { url: "/service/terms", text: "legal.terms" },
      { url: "/service/privacy", text: "legal.privacy" },
      { url: "/service/cookies", text: "legal.consent", consent: true },
      { url: "/service/right-of-withdrawal", text: "legal.withdrawalRight" },
      // The notice of https://eur-lex.europa.eu/eli/reg_impl/2025/1960/oj
      { url: "/service/legal-guarantee", text: "legal.guarantee" },
      { url: "/service/withdraw-contract", text: "legal.withdraw", prominent: true },
      { url: "/service/complaints-policy", text: "legal.complaints" },
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
        {
          image: {
            label: "Trust Eco EU: európai bizalmi jel webáruházaknak",
            source: "trustEcoEu",
            width: 80,
            height: 80,
          },
        },
        {
          link: "/service/career",
          image: { label: "Great Place to Work: díjazott munkahely", source: "gptw", width: 80, height: 80 },
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
