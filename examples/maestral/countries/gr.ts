import type { Country } from "storefront-fragments/types";

export default {
  site: "GR",
  locale: "el-GR",
  footerLocale: "el-GR",
  origin: "https://gr.maestral.example",
  localHost: "gr.localhost",
  timeZone: "Europe/Athens",
  switcher: {
    code: "gr",
    flag: "greece",
  },
  imprint: {
    address: "Οδός Παραδείγματος 1, 105 57 Αθήνα, Ελλάδα",
    register: "Αρ. Γ.Ε.ΜΗ. 000000000000, Α.Φ.Μ. 000000000, Δ.Ο.Υ. Α΄ Αθηνών",
    url: "/service/imprint",
  },
  facts: {
    returnPeriod: 30,
    freeShippingFrom: "39\u00a0€",
    dispatchDays: "1-2",
    phone: "210\u00a0000\u00a00000",
    serviceHours: "09:00-21:00",
  },
  apps: {
    android: "example.maestral.gr",
    ios: "2000000001",
  },
  login: {
    forgottenPassword: "/account/forgotten-password",
    register: "/account/register",
  },
  newsletter: {
    sender: "Maestral ‹νομική μορφή›",
    topics: "καφές, μόδα, είδη σπιτιού και κινητή τηλεφωνία",
    links: {
      privacy: "/service/privacy",
      contact: "/contact",
      voucherConditions: "/service/voucher-conditions",
      exampleNewsletter: "/service/newsletter/example",
    },
    salutation: "optional",
    names: "optional",
    legals: false,
    personalisedOffers: "inline",
    lockPrefilled: true,
    minimumAge: 16,
    confirmWithinDays: 7,
    deleteUnconfirmedAfterDays: 30,
    stopUnopenedAfterYears: 2,
    voucher: {
      discount: 10,
      validMonths: 2,
      singleUse: true,
    },
  },
  footer: {
    headline: "headline",
    teaser: {
      groups: [
        {
          heading: {
            iconName: "payment",
            link: {
              url: "/service/payment-methods",
              text: "payment.heading",
            },
          },
          hideGroupInCheckout: false,
          introductoryText: "payment.intro",
          links: [
            {
              link: {
                url: "/service/payment-methods",
                text: "payment.overview",
              },
              hideInClassic: true,
            },
            {
              link: {
                url: "/faq?category=payment&question=card&title=payment-methods",
                text: "payment.card",
              },
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
              link: {
                url: "/service/secure-shopping",
                text: "payment.security",
              },
              hideInClassic: false,
            },
          ],
          images: [
            {
              label: "Visa",
              source: "visa",
            },
            {
              label: "Mastercard",
              source: "mastercard",
            },
            {
              label: "IRIS",
              source: "iris",
            },
          ],
        },
        {
          heading: {
            iconName: "delivery",
            link: {
              url: "/service/delivery",
              text: "delivery.heading",
            },
          },
          hideGroupInCheckout: false,
          introductoryText: "delivery.intro",
          links: [
            {
              link: {
                url: "/service/delivery",
                text: "delivery.overview",
              },
              hideInClassic: true,
            },
            {
              link: {
                url: "/faq?category=delivery&question=costs&title=delivery",
                text: "delivery.free",
              },
              hideInClassic: false,
            },
            {
              link: {
                url: "/faq?category=delivery&question=dispatch&title=delivery",
                text: "delivery.dispatch",
              },
              hideInClassic: false,
            },
            {
              link: {
                url: "/faq?category=delivery&question=tracking&title=delivery",
                text: "delivery.tracking",
              },
              hideInClassic: false,
            },
            {
              link: {
                url: "/faq?category=delivery&question=parcel-shop&title=delivery",
                text: "delivery.parcelShop",
              },
              hideInClassic: false,
            },
          ],
          images: [
            {
              label: "ΕΛΤΑ Courier",
              source: "eltaCourier",
            },
            {
              label: "BOX NOW",
              source: "boxNow",
            },
          ],
        },
        {
          heading: {
            iconName: "returns",
            link: {
              url: "/service/returns",
              text: "returns.heading",
            },
          },
          hideGroupInCheckout: false,
          introductoryText: "returns.intro",
          links: [
            {
              link: {
                url: "/service/returns",
                text: "returns.overview",
              },
              hideInClassic: true,
            },
            {
              link: {
                url: "/faq?category=returns&question=period&title=returns",
                text: "returns.periodDays",
              },
              hideInClassic: false,
            },
            {
              link: {
                url: "/service/returns/label",
                text: "returns.label",
              },
              hideInClassic: false,
            },
            {
              link: {
                url: "/faq?category=returns&question=refund&title=returns",
                text: "returns.refund",
              },
              hideInClassic: false,
            },
            {
              link: {
                url: "/service/complaints",
                text: "returns.complaint",
              },
              hideInClassic: false,
            },
          ],
          images: [],
        },
        {
          heading: {
            iconName: "service",
            link: {
              url: "/service",
              text: "service.heading",
            },
          },
          hideGroupInCheckout: false,
          introductoryText: "service.intro",
          links: [
            {
              link: {
                url: "/service",
                text: "service.overview",
              },
              hideInClassic: true,
            },
            {
              link: {
                url: "/faq",
                text: "service.faq",
              },
              hideInClassic: false,
            },
            {
              link: {
                url: "/faq?category=orders&question=order-status&title=orders",
                text: "service.orderStatus",
              },
              hideInClassic: false,
            },
            {
              link: {
                url: "/service/size-guide",
                text: "service.sizes",
              },
              hideInClassic: false,
            },
            {
              link: {
                url: "/subscribenewsletter",
                text: "service.newsletter",
              },
              hideInClassic: false,
            },
          ],
          images: [],
        },
        {
          heading: {
            iconName: "contact",
            link: {
              url: "/contact",
              text: "contact.heading",
            },
          },
          hideGroupInCheckout: false,
          introductoryText: "contact.intro",
          links: [
            {
              link: {
                url: "/contact",
                text: "contact.overview",
              },
              hideInClassic: true,
            },
            {
              link: {
                url: "tel:+302100000000",
                text: "contact.phone",
              },
              hideInClassic: false,
            },
            {
              link: {
                url: "/contact/form",
                text: "contact.form",
              },
              hideInClassic: false,
            },
          ],
          images: [],
        },
        {
          heading: {
            iconName: "loyalty-card",
            link: {
              url: "/service/loyalty-card",
              text: "card.heading",
            },
          },
          hideGroupInCheckout: true,
          introductoryText: "card.intro",
          links: [
            {
              link: {
                url: "/service/loyalty-card",
                text: "card.overview",
              },
              hideInClassic: true,
            },
            {
              link: {
                url: "/registerfreeloyaltycard",
                text: "card.register",
              },
              hideInClassic: false,
            },
            {
              link: {
                url: "/service/loyalty-card/balance",
                text: "card.balance",
              },
              hideInClassic: false,
            },
          ],
          images: [],
        },
        {
          heading: {
            iconName: "company",
            link: {
              url: "/service/company",
              text: "company.heading",
            },
          },
          hideGroupInCheckout: true,
          links: [
            {
              link: {
                url: "/service/company",
                text: "company.overview",
              },
              hideInClassic: true,
            },
            {
              link: {
                url: "https://careers.maestral.example/gr",
                text: "company.career",
              },
              hideInClassic: false,
            },
            {
              link: {
                url: "/service/sustainability",
                text: "company.sustainability",
              },
              hideInClassic: false,
            },
            {
              link: {
                url: "/service/press",
                text: "company.press",
              },
              hideInClassic: false,
            },
          ],
          images: [],
        },
      ],
    },
    seo: {
      heading: "seo.heading",
      columns: [
        [
          {
            url: "/category/coffee",
            text: "category.coffee",
          },
          {
            url: "/category/whole-beans",
            text: "category.wholeBeans",
          },
          {
            url: "/category/capsules",
            text: "category.capsules",
          },
          {
            url: "/category/coffee-machines",
            text: "category.coffeeMachines",
          },
        ],
        [
          {
            url: "/category/women-fashion",
            text: "category.womenFashion",
          },
          {
            url: "/category/men-fashion",
            text: "category.menFashion",
          },
          {
            url: "/category/kids",
            text: "category.kids",
          },
          {
            url: "/category/sport",
            text: "category.sport",
          },
        ],
        [
          {
            url: "/category/living-furniture",
            text: "category.furniture",
          },
          {
            url: "/category/kitchen",
            text: "category.kitchen",
          },
          {
            url: "/category/sleeping",
            text: "category.sleeping",
          },
          {
            url: "/category/garden",
            text: "category.garden",
          },
        ],
        [
          {
            url: "/category/new",
            text: "category.newIn",
          },
          {
            url: "/category/gifts",
            text: "category.gifts",
          },
          {
            url: "/category/mobile",
            text: "category.mobile",
          },
          {
            url: "/category/discounts",
            text: "category.discounts",
          },
        ],
      ],
    },
    socialMedia: {
      heading: "social.heading",
      socialMediaIcons: [
        {
          iconName: "facebook",
          link: {
            url: "https://social.maestral.example/gr/facebook",
            text: "social.facebook",
          },
        },
        {
          iconName: "instagram",
          link: {
            url: "https://social.maestral.example/gr/instagram",
            text: "social.instagram",
          },
        },
        {
          iconName: "tiktok",
          link: {
            url: "https://social.maestral.example/gr/tiktok",
            text: "social.tiktok",
          },
        },
        {
          iconName: "viber",
          link: {
            url: "https://social.maestral.example/gr/viber",
            text: "social.viber",
          },
        },
      ],
    },
    appReferences: {
      heading: "apps.heading",
      appIcons: [
        {
          iconName: "app-store",
          link: {
            url: "https://apps.maestral.example/gr/ios",
            text: "apps.appStore",
          },
        },
        {
          iconName: "google-play",
          link: {
            url: "https://apps.maestral.example/gr/android",
            text: "apps.googlePlay",
          },
        },
      ],
    },
    legalLinks: [
      {
        url: "/service/imprint",
        text: "legal.imprint",
      },
      {
        url: "/service/terms",
        text: "legal.terms",
      },
      {
        url: "/service/privacy",
        text: "legal.privacy",
      },
      {
        url: "/service/cookies",
        text: "legal.consent",
        consent: true,
      },
      {
        url: "/service/right-of-withdrawal",
        text: "legal.withdrawalRight",
      },
      {
        url: "/service/legal-guarantee",
        text: "legal.guarantee",
      },
      {
        url: "/service/withdraw-contract",
        text: "legal.withdraw",
        prominent: true,
      },
      {
        url: "/service/complaints-policy",
        text: "legal.complaints",
      },
      {
        url: "/service/accessibility",
        text: "legal.accessibility",
      },
      {
        url: "/service/disposal",
        text: "legal.disposal",
      },
      {
        url: "/service/deforestation-free-supply-chains",
        text: "legal.deforestation",
        validFrom: "2026-12-30T00:00:00+02:00",
      },
      {
        url: "/service/whistleblowing",
        text: "legal.whistleblowing",
      },
    ],
    viewChanger: {
      toMobile: "viewChanger.toMobile",
      toDesktop: "viewChanger.toDesktop",
    },
    qualityLogos: {
      heading: "quality.heading",
      logos: [
        {
          image: {
            label: "GRECA Trustmark: σήμα εμπιστοσύνης για ηλεκτρονικά καταστήματα",
            source: "grecaTrustmark",
            width: 80,
            height: 80,
          },
        },
      ],
    },
    salesTax: {
      textBeforeLink: "salesTax.before",
      link: {
        url: "/service/delivery",
        text: "salesTax.link",
      },
      textAfterLink: "salesTax.after",
    },
  },
} satisfies Country;
