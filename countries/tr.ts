import type { Country } from "../schemas/types.ts";

export default {
  site: "TR",
  locale: "tr-TR",
  footerLocale: "tr-TR",
  origin: "https://tr.storefront.example",
  localHost: "tr.localhost",
  timeZone: "Europe/Istanbul",
  switcher: { code: "tr", flag: "turkey" },
  imprint: {
    address: "‹Örnek Mah. Örnek Sok. No: 1, 34394 Şişli/İstanbul›, Türkiye",
    register: "‹İstanbul› Ticaret Sicili Müdürlüğü, Ticaret Sicil No: ‹123456-5›",
    mersis: "‹0123456789000015›",
    kep: "‹storefront@kep.example›",
    email: "‹bilgi@storefront.example›",
    phone: "‹0850\u00a0000\u00a000\u00a000›",
    url: "/service/imprint",
  },
  facts: {
    returnPeriod: 90,
    freeShippingFrom: "1000\u00a0TL",
    dispatchDays: "1-2",
    serviceHours: "09:00-19:00",
  },
  apps: { android: "example.storefront.tr", ios: "1000000008" },
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
    sender: "Storefront ‹Ticaret A.Ş.›",
    topics: "kahve, moda, ev ve mobil tarifeler",
    links: {
      privacy: "/service/data-processing",
      contact: "/contact",
      voucherConditions: "/service/voucher-conditions",
      exampleNewsletter: "/service/newsletter/example",
      newsletterInfo: "/service/newsletter",
      commercialMessageConsent: "/service/newsletter/commercial-messages",
      personalMarketingConsent: "/service/newsletter/personal-marketing",
    },
    salutation: "optional",
    names: "required",
    legals: true,
    personalisedOffers: "inline",
    lockPrefilled: true,
    minimumAge: 16,
    confirmWithinDays: 7,
    deleteUnconfirmedAfterDays: 14,
    stopUnopenedAfterYears: 2,
    consentRegister: "IYS",
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
              link: { url: "/faq?category=payment&question=card&title=payment-methods", text: "payment.card" },
              hideInClassic: false,
            },
            {
              link: {
                url: "/faq?category=payment&question=instalments&title=payment-methods",
                text: "payment.instalments",
              },
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
            { label: "American Express", source: "trAmex" },
            { label: "BKM Express", source: "trBkm" },
          ],
        },
        {
          heading: { iconName: "delivery", link: { url: "/service/delivery", text: "delivery.heading" } },
          hideGroupInCheckout: false,
          introductoryText: "delivery.intro",
          links: [
            { link: { url: "/service/delivery", text: "delivery.overview" }, hideInClassic: true },
            {
              link: { url: "/faq?category=delivery&question=free-delivery&title=delivery", text: "delivery.free" },
              hideInClassic: false,
            },
            {
              link: { url: "/faq?category=delivery&question=dispatch&title=delivery", text: "delivery.dispatch" },
              hideInClassic: false,
            },
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
            { label: "HepsiJET", source: "hepsijet" },
            { label: "Horoz Lojistik", source: "horoz" },
            { label: "Kolay Gelsin", source: "kolaygelsin" },
            { label: "MNG Kargo", source: "mngKargo" },
            { label: "Yurtiçi Kargo", source: "yurticikargo" },
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
            { link: { url: "/account", text: "service.account" }, hideInClassic: false },
            { link: { url: "/faq", text: "service.faq" }, hideInClassic: false },
            {
              link: { url: "/faq?category=orders&question=order-status&title=orders", text: "service.orderStatus" },
              hideInClassic: false,
            },
            { link: { url: "/service/size-guide", text: "service.sizes" }, hideInClassic: false },
            { link: { url: "/registerfreeloyaltycard", text: "card.register" }, hideInClassic: false },
            { link: { url: "/registerfreeprivatecard", text: "card.registerPrivate" }, hideInClassic: false },
            { link: { url: "/subscribenewsletter", text: "service.newsletter" }, hideInClassic: false },
          ],
          images: [],
        },
        {
          heading: { iconName: "company", link: { url: "/service/company", text: "company.heading" } },
          hideGroupInCheckout: true,
          links: [
            { link: { url: "/service/company", text: "company.overview" }, hideInClassic: true },
            { link: { url: "https://careers.storefront.example/tr", text: "company.career" }, hideInClassic: false },
            { link: { url: "/service/sustainability", text: "company.sustainability" }, hideInClassic: false },
            { link: { url: "/service/press", text: "company.press" }, hideInClassic: false },
          ],
          images: [],
        },
        {
          heading: { iconName: "stores", link: { url: "/service/storefinder/", text: "stores.heading" } },
          hideGroupInCheckout: true,
          introductoryText: "stores.intro",
          links: [
            { link: { url: "/service/storefinder/", text: "stores.overview" }, hideInClassic: true },
            {
              link: { url: "/faq?category=stores&question=opening-hours&title=stores", text: "stores.openingHours" },
              hideInClassic: false,
            },
          ],
          images: [],
        },
        {
          heading: { iconName: "contact", link: { url: "/contact", text: "contact.heading" } },
          hideGroupInCheckout: false,
          introductoryText: "contact.intro",
          imprint: true,
          links: [
            { link: { url: "/contact", text: "contact.overview" }, hideInClassic: true },
            { link: { url: "tel:", text: "contact.phone" }, hideInClassic: false },
            { link: { url: "/service/contact-form", text: "contact.form" }, hideInClassic: false },
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
          { url: "/category/nightwear", text: "category.nightwear" },
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
          link: { url: "https://social.storefront.example/tr/facebook", text: "social.facebook" },
        },
        {
          iconName: "instagram",
          link: { url: "https://social.storefront.example/tr/instagram", text: "social.instagram" },
        },
        {
          iconName: "pinterest",
          link: { url: "https://social.storefront.example/tr/pinterest", text: "social.pinterest" },
        },
        { iconName: "tiktok", link: { url: "https://social.storefront.example/tr/tiktok", text: "social.tiktok" } },
        { iconName: "youtube", link: { url: "https://social.storefront.example/tr/youtube", text: "social.youtube" } },
      ],
    },
    appReferences: {
      heading: "apps.heading",
      appIcons: [
        { iconName: "app-store", link: { url: "https://apps.storefront.example/tr/ios", text: "apps.appStore" } },
        {
          iconName: "google-play",
          link: { url: "https://apps.storefront.example/tr/android", text: "apps.googlePlay" },
        },
      ],
    },
    legalLinks: [
      { url: "/service/data-processing", text: "legal.dataProcessing" },
      { url: "/service/privacy", text: "legal.privacy" },
      { url: "/service/cookies", text: "legal.consent", consent: true },
      { url: "/service/distance-selling", text: "legal.distanceSelling" },
      { url: "/service/right-of-withdrawal", text: "legal.withdrawalRight" },
      { url: "/service/membership", text: "legal.membership" },
      { url: "/service/terms", text: "legal.terms" },
      { url: "/service/imprint", text: "legal.imprint" },
    ],
    viewChanger: { toMobile: "viewChanger.toMobile", toDesktop: "viewChanger.toDesktop" },
    qualityLogos: {
      heading: "quality.heading",
      logos: [
        {
          link: "/service/sustainability",
          image: { label: "Green: sürdürülebilirlik çalışmalarımız", source: "green", width: 80, height: 80 },
        },
        {
          link: "/service/career",
          image: { label: "Great Place to Work: ödüllü işveren", source: "gptw", width: 80, height: 80 },
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
