/* Generated from the JSON Schemas of this folder and from locales/ by `npm run fix`. Change those. */

/**
 * The keys of texts; one with plural forms has a single key.
 */
type KeyOf<Texts> = {
  [Key in keyof Texts]: Key extends `${infer Base}_${Intl.LDMLPluralRule}` ? Base : Key
}[keyof Texts]
/**
 * The keys of each namespace of texts.
 */
export interface TextKeys {
"demo": KeyOf<typeof import("../locales/de/demo.json")>
"footer": KeyOf<typeof import("../locales/de/footer.json")> | (string & {})
"login": KeyOf<typeof import("../locales/de/login.json")>
"mail": KeyOf<typeof import("../locales/de/mail.json")>
"newsletter": KeyOf<typeof import("../locales/de/newsletter.json")>
"page": KeyOf<typeof import("../locales/de/page.json")>
"preferences": KeyOf<typeof import("../locales/de/preferences.json")>
"preview": KeyOf<typeof import("../locales/de/preview.json")>
"seasons": KeyOf<typeof import("../locales/de/seasons.json")>
"sign-in": KeyOf<typeof import("../locales/de/sign-in.json")>
"staff-sign-in": KeyOf<typeof import("../locales/de/staff-sign-in.json")>
"subscription": KeyOf<typeof import("../locales/de/subscription.json")>
"widgets": KeyOf<typeof import("../locales/de/widgets.json")>
"gallery": KeyOf<typeof import("../locales/en/gallery.json")>
"openapi": KeyOf<typeof import("../locales/en/openapi.json")>
"outbox": KeyOf<typeof import("../locales/en/outbox.json")>
"overview": KeyOf<typeof import("../locales/en/overview.json")>
"preview-panel": KeyOf<typeof import("../locales/en/preview-panel.json")>
"team": KeyOf<typeof import("../locales/en/team.json")>
}

/**
 * The A/B tests that are active at a time.
 */
export type AbTestsAnswer = {
  name: string
  groups: {
    name: string
  }[]
}[]

/**
 * An account, in a line that `accounts export` prints and `accounts import` reads.
 */
export interface AccountLine {
  kind: ("customer" | "staff")
  email: string
  /**
   * A PHC string: `$argon2id$v=19$m=…,t=…,p=…$salt$hash` or `$scrypt$ln=…,r=…,p=…$salt$hash`. A login replaces it by one with the service's own parameters.
   */
  passwordHash: string
  salutation?: ("MR" | "MRS" | "COMPANY" | "DIVERS" | null)
  firstName?: (string | null)
  lastName?: (string | null)
  consents?: ("DNE" | "NEWSLETTER")[]
  /**
   * Whether the account can't sign in.
   */
  locked?: boolean
  /**
   * Whether its password may be widely known. Such accounts are for the demo only.
   */
  demo?: boolean
}

export type ImprintLine = string
/**
 * Red, green and blue, as in `#6f4a2f`.
 */
export type Color = string
export type Stack = string

/**
 * The look and the name of the shop. A missing value is as in the built-in brand.
 */
export interface BrandFile {
  /**
   * Path of this schema, for editors.
   */
  $schema?: string
  /**
   * Name of the shop on every site: in the header of pages, in titles, in emails.
   */
  name?: string
  /**
   * Name of the company that runs a site, by the site's code: the sender of its emails. Replaces the country's `newsletter.sender`.
   */
  legalNames?: {
    [k: string]: string
  }
  /**
   * What a consent says that a site's emails are about, by the site's code: a list in the site's language. Replaces the country's `newsletter.topics`.
   */
  topics?: {
    [k: string]: string
  }
  /**
   * Address, register and further facts of the company that runs a site, by the site's code. Each field replaces the one of the country's `imprint`.
   */
  imprints?: {
    [k: string]: {
      address?: ImprintLine
      register?: ImprintLine
      mersis?: ImprintLine
      kep?: ImprintLine
      email?: ImprintLine
      phone?: ImprintLine
    }
  }
  /**
   * Where researchers report vulnerabilities of the shop: an email address, or a URI that begins with `https:`, `mailto:` or `tel:`. Published at `/.well-known/security.txt`, which is 404 without it.
   */
  securityContact?: string
  /**
   * The logo in the header of pages. Without one, the name is shown.
   */
  logo?: {
    /**
     * An SVG file in the folder of brand.json, of at most 10 kB.
     */
    file: string
    /**
     * Height in pixels. The width follows from the file's `viewBox`.
     */
    height?: number
  }
  /**
   * The icon of the shop's pages in the browser's tabs. Without one, they have none.
   */
  favicon?: {
    /**
     * A square SVG file in the folder of brand.json, of at most 10 kB.
     */
    file: string
  }
  /**
   * The picture that other sites show beside a link to one of the shop's pages. Without one, they choose.
   */
  socialImage?: {
    /**
     * A PNG or JPEG file in the folder of brand.json, of at most 300 kB, best 1200 × 630 pixels.
     */
    file: string
  }
  colors?: Colors
  /**
   * The fonts of pages.
   */
  type?: {
    /**
     * Installed font families, the best first.
     */
    stack?: string
    font?: Font
  }
  radius?: Radius
  /**
   * The unit of all distances, as a multiple of the visitor's font size.
   */
  spacing?: number
  /**
   * Values of emails only. On a light screen, emails have the colours of `colors`.
   */
  mail?: {
    /**
     * Installed font families for emails, which load no fonts, the best first. Default: that of `type`, if given.
     */
    stack?: string
    dark?: Palette
  }
}
/**
 * The colours of pages, and of emails on a light screen.
 */
export interface Colors {
  /**
   * Text.
   */
  ink?: string
  /**
   * Secondary text, and disabled elements.
   */
  inkSoft?: string
  /**
   * Links, buttons and icons.
   */
  accent?: string
  /**
   * The shop's name, ribbons, and links and buttons under the pointer. Default: a darker `accent`.
   */
  accentDark?: string
  /**
   * Text on buttons and ribbons.
   */
  onAccent?: string
  /**
   * The background of pages, boxes and fields.
   */
  surface?: string
  /**
   * The background of bands, and of elements under the pointer.
   */
  surfaceSoft?: string
  /**
   * The background of the newsletter block and of quiet buttons.
   */
  surfaceStrong?: string
  /**
   * Dividing lines.
   */
  line?: string
  /**
   * Borders of fields.
   */
  fieldLine?: string
  /**
   * The frame around the focused element. Default: `accent`.
   */
  focus?: string
  /**
   * Information.
   */
  info?: string
  /**
   * The background of information.
   */
  infoSurface?: string
  /**
   * Success.
   */
  success?: string
  /**
   * The background of success.
   */
  successSurface?: string
  /**
   * Warnings.
   */
  warning?: string
  /**
   * The background of warnings.
   */
  warningSurface?: string
  /**
   * Errors.
   */
  error?: string
  /**
   * The background of errors.
   */
  errorSurface?: string
  /**
   * Buttons that complete something, and vouchers.
   */
  activating?: string
  /**
   * The same under the pointer. Default: a darker `activating`.
   */
  activatingDark?: string
  /**
   * Buttons and ribbons of a sale.
   */
  sale?: string
  /**
   * The same under the pointer. Default: a darker `sale`.
   */
  saleDark?: string
  /**
   * Buttons of the community.
   */
  community?: string
  /**
   * The same under the pointer. Default: a darker `community`.
   */
  communityDark?: string
  /**
   * Buttons that lead to the company's physical shops.
   */
  omnichannel?: string
  /**
   * The same under the pointer. Default: a darker `omnichannel`.
   */
  omnichannelDark?: string
}
/**
 * A font family with files in the folder `fonts`. It comes before the families of `stack`.
 */
export interface Font {
  family: string
  /**
   * The font's licence: a file in the folder `fonts`.
   */
  licence: string
  /**
   * @minItems 1
   * @maxItems 8
   */
  files: FontFile[]
}
export interface FontFile {
  /**
   * A file in the folder `fonts`.
   */
  file: string
  /**
   * The weight of the file, or the lowest and the highest of a variable one. The shop uses 400, 600 and 700.
   */
  weight: string
  /**
   * The characters in the file, as in CSS: browsers load it only for these. Default: all.
   */
  range?: string
}
/**
 * The radius of round corners, in pixels.
 */
export interface Radius {
  /**
   * Boxes and fields.
   */
  box?: number
  /**
   * Buttons and chips.
   */
  button?: number
}
/**
 * The colours of emails on a dark screen.
 */
export interface Palette {
  /**
   * Text.
   */
  ink?: string
  /**
   * The name of the email's sender.
   */
  inkSoft?: string
  /**
   * Links and buttons.
   */
  accent?: string
  /**
   * The shop's name and the heading.
   */
  accentDark?: string
  /**
   * Text on buttons.
   */
  onAccent?: string
  /**
   * The background of the text.
   */
  surface?: string
  /**
   * The background of the email.
   */
  surfaceSoft?: string
  /**
   * The background of vouchers.
   */
  surfaceStrong?: string
  /**
   * The border around the text.
   */
  line?: string
  /**
   * The border of vouchers.
   */
  fieldLine?: string
}
export interface Palette1 {
  /**
   * Text.
   */
  ink?: string
  /**
   * The name of the email's sender.
   */
  inkSoft?: string
  /**
   * Links and buttons.
   */
  accent?: string
  /**
   * The shop's name and the heading.
   */
  accentDark?: string
  /**
   * Text on buttons.
   */
  onAccent?: string
  /**
   * The background of the text.
   */
  surface?: string
  /**
   * The background of the email.
   */
  surfaceSoft?: string
  /**
   * The background of vouchers.
   */
  surfaceStrong?: string
  /**
   * The border around the text.
   */
  line?: string
  /**
   * The border of vouchers.
   */
  fieldLine?: string
}

/**
 * A flag: the name of a file in client/icons/flags/, or in the folder `flags` of a shop's own folder.
 */
export type Flag = string
/**
 * A path of the site.
 */
export type Path = string
/**
 * A path of the site, or an address with http, https, mailto or tel. `tel:` alone calls the telephone number in the texts.
 */
export type Url = string
/**
 * Key of a text in the page namespace of the locales.
 */
export type PageTextKey = TextKeys["page"] | (string & {})
/**
 * An icon: a name in client/icons/icons.json, or of a file in the folder `icons` of a shop's own folder.
 */
export type Icon = string
/**
 * Key of a text in the footer namespace of the locales.
 */
export type TextKey = TextKeys["footer"]
/**
 * The first moment at which it is valid.
 */
export type ValidFrom = string
/**
 * The first moment at which it isn't valid any more.
 */
export type ValidTo = string
/**
 * A name that is the same in every language.
 */
export type ProperName = string
/**
 * A logo: the name of a file under /service/footer-images/logos/, which is in client/features/footer/logos/ or in the folder `logos` of a shop's own folder.
 */
export type LogoSource = string
export type Locale = string

/**
 * One country site: the links of its footer, its features and its hosts. Texts are in locales; a text here is the key of one.
 */
export interface Country {
  /**
   * Address of this schema, for editors.
   */
  $schema?: string
  /**
   * Code of the site, as in `?site=`.
   */
  site: string
  /**
   * Locale of the site's pages and of `lang`.
   */
  locale: string
  /**
   * Locale of the footer's texts.
   */
  footerLocale: string
  /**
   * Public origin of the site, without a trailing slash.
   */
  origin: string
  /**
   * Host that always leads to this site on a developer's machine.
   */
  localHost: string
  /**
   * The time zone of the site's visitors: a name in the IANA database.
   */
  timeZone: string
  /**
   * Further hosts of the site, in addition to those of `origin` and `localHost`.
   */
  hosts?: string[]
  /**
   * Paths of fields, such as `/facts/returnPeriod`, that still have the values of the country from which this file was made.
   */
  gaps?: string[]
  /**
   * The site's entry in every site's country switcher. Its name comes from the locale.
   */
  switcher: {
    code: string
    flag: Flag
  }
  /**
   * The company that runs the shop, as described in its emails. Its name is `newsletter.sender`; `imprints` in brand.json replaces single fields.
   */
  imprint: {
    /**
     * Postal address, on one line.
     */
    address: string
    /**
     * Further facts that the country's law requires in a company's emails, on one line: its register and number.
     */
    register: string
    /**
     * Number in the central register of companies of Turkey, MERSİS.
     */
    mersis?: string
    /**
     * Address for registered email in Turkey, KEP.
     */
    kep?: string
    /**
     * Address for emails.
     */
    email?: string
    /**
     * Telephone number. Used in the texts, too, if the country has no `facts.phone`.
     */
    phone?: string
    url: Path
  }
  /**
   * Figures of the shop in this country, for the placeholders of its texts.
   */
  facts: {
    /**
     * In the unit of the text that contains it: days or months.
     */
    returnPeriod: number
    /**
     * Order value with currency, separated by a non-breaking space.
     */
    freeShippingFrom?: string
    /**
     * Order value with currency for holders of the loyalty card, separated by a non-breaking space.
     */
    freeShippingWithCard?: string
    /**
     * The coffee that is free with the loyalty card.
     */
    freeCoffeeEvery?: number
    /**
     * Working days until dispatch, for example 1-2.
     */
    dispatchDays?: string
    /**
     * Customer phone line as it is written in the country.
     */
    phone?: string
    /**
     * Daily hours of the phone line.
     */
    serviceHours?: string
  }
  /**
   * The country's native apps, which open pages of the site that link to them. Without it, none are linked.
   */
  apps?: {
    /**
     * Package name.
     */
    android?: string
    /**
     * Number in the App Store.
     */
    ios?: string
  }
  /**
   * Further links on the login page.
   */
  login: {
    forgottenPassword: Path
    register: Path
  }
  /**
   * The links to the shop's categories in the header. Without it, the header has none.
   *
   * @maxItems 12
   */
  navigation?: HeaderLink[]
  /**
   * The links to what is a visitor's own in the header, beside that to the login page.
   */
  account?: {
    /**
     * A path of the site.
     */
    url?: string
    /**
     * @maxItems 4
     */
    links?: {
      url: Url
      text: PageTextKey
      icon: Icon
    }[]
  }
  newsletter: NewsletterSettings
  footer: Footer
}
export interface HeaderLink {
  url: Url
  text: PageTextKey
}
/**
 * How visitors of this country sign up for the newsletter.
 */
export interface NewsletterSettings {
  /**
   * Pages that the sign-up's texts link to. A text whose page is missing isn't shown.
   */
  links: {
    privacy: Path
    contact: Path
    voucherConditions?: Path
    exampleNewsletter: Path
    terms?: Path
    newsletterInfo?: Path
    commercialMessageConsent?: Path
    personalMarketingConsent?: Path
  }
  /**
   * The company that sends the newsletter and is responsible for its data: name with legal form.
   */
  sender: string
  /**
   * What a consent says that the emails are about, as a list in the language of `locale`: `Möbel, Leuchten und Küchengeräte`. Without it, a consent names no topics.
   */
  topics?: string
  /**
   * The categories among which subscribers can choose. Without it, all.
   */
  categories?: NonNullable<NewsletterSubscription["categories"]>
  salutation: ("required" | "optional")
  /**
   * First and last name.
   */
  names: ("required" | "optional")
  /**
   * Asks for the last name before the first, as is usual in the country.
   */
  familyNameFirst?: boolean
  /**
   * Shows the checkbox of the consent to commercial electronic messages, and requires it.
   */
  legals: boolean
  /**
   * The place of the consent to personalised offers: in the form, or in a panel that opens.
   */
  personalisedOffers: ("inline" | "expandable")
  /**
   * Locks the salutation and names that are already known of a signed-in customer.
   */
  lockPrefilled: boolean
  minimumAge: (16 | 18)
  /**
   * How long the link in the confirmation email is valid.
   */
  confirmWithinDays: number
  /**
   * When a sign-up is deleted if nobody has confirmed it.
   */
  deleteUnconfirmedAfterDays: number
  /**
   * Ends the newsletter of a subscriber who has opened none for this time.
   */
  stopUnopenedAfterYears?: number
  /**
   * Public register to which every consent and its end are reported: IYS is that of Türkiye.
   */
  consentRegister?: "IYS"
  /**
   * The reward for a sign-up, sent after it is confirmed. Without it, nothing is offered.
   */
  voucher?: {
    /**
     * In percent.
     */
    discount: number
    /**
     * Without it, the voucher doesn't expire.
     */
    validMonths?: number
    /**
     * Whether the email says that the voucher can be used only once.
     */
    singleUse?: boolean
    /**
     * Where codes come from: `random` ones are made here, `imported` ones are the till's own, from `vouchers import`. Default: `random`.
     */
    codes?: ("random" | "imported")
  }
}
export interface Footer {
  headline: TextKey
  teaser: {
    /**
     * @minItems 1
     */
    groups: TeaserGroup[]
  }
  seo: {
    heading: TextKey
    /**
     * @minItems 1
     */
    columns: SeoLink[][]
  }
  socialMedia: {
    heading: TextKey
    socialMediaIcons: {
      iconName: Icon
      link: Link
      validFrom?: ValidFrom
      validTo?: ValidTo
    }[]
  }
  appReferences: {
    heading: TextKey
    appIcons: {
      iconName: Icon
      link: Link
      validFrom?: ValidFrom
      validTo?: ValidTo
    }[]
  }
  /**
   * @minItems 1
   */
  legalLinks: {
    url: Url
    text: TextKey
    /**
     * The link that opens the consent-management dialog. Every site has exactly one.
     */
    consent?: true
    /**
     * Shows the link as a button before the other legal links, for functions that the law wants to be prominent.
     */
    prominent?: true
    validFrom?: ValidFrom
    validTo?: ValidTo
  }[]
  viewChanger: {
    toMobile: TextKey
    toDesktop: TextKey
  }
  qualityLogos: {
    heading: TextKey
    logos: {
      validFrom?: ValidFrom
      validTo?: ValidTo
      link?: Url
      /**
       * The organisation that awards the seal after an independent check. Shown when the pointer is on the seal.
       */
      certifiedBy?: string
      image: {
        label: ProperName
        source: LogoSource
        /**
         * Pixels.
         */
        width: (80 | 90)
        /**
         * Pixels.
         */
        height: (80 | 90)
      }
    }[]
  }
  /**
   * A notice, or several, of which the first valid one is shown.
   */
  salesTax: Notice | Notice[]
}
export interface TeaserGroup {
  heading: {
    iconName: Icon
    link: Link
  }
  hideGroupInCheckout: boolean
  introductoryText?: TextKey
  /**
   * Whether the group shows the imprint, in countries whose law requires it on the home page, such as Turkey.
   */
  imprint?: boolean
  /**
   * @minItems 1
   */
  links: {
    link: Link
    /**
     * True for the overview link: the large layout links the heading instead.
     */
    hideInClassic: boolean
    validFrom?: ValidFrom
    validTo?: ValidTo
  }[]
  images: Image[]
}
export interface Link {
  url: Url
  text: TextKey
}
export interface Image {
  label: ProperName
  source: LogoSource
  validFrom?: ValidFrom
  validTo?: ValidTo
}
export interface SeoLink {
  url: Url
  text: TextKey
  validFrom?: ValidFrom
  validTo?: ValidTo
}
export interface Notice {
  textBeforeLink: TextKey
  textAfterLink?: TextKey
  link: Link
  validFrom?: ValidFrom
  validTo?: ValidTo
}

/**
 * The data of a signed-in customer. The sign-up form uses the fields that are valid.
 */
export interface CustomerAnswer {
  email: string
  /**
   * `MR`, `MRS`, `COMPANY` or `DIVERS`.
   */
  salutation?: unknown
  /**
   * A text.
   */
  firstName?: unknown
  /**
   * A text.
   */
  lastName?: unknown
  /**
   * A list of `DNE` and `NEWSLETTER`, as far as the customer has agreed.
   */
  consents?: unknown
}

/**
 * The environment variables the service reads.
 */
export interface EnvVariables {
  /**
   * Address of both listeners. The image sets `0.0.0.0`.
   */
  HOST: string
  /**
   * Port of the service; `0` lets the system choose one.
   */
  PORT: number
  /**
   * Comma-separated hosts, without ports, that pages and service calls also answer [outside production](#hosts-outside-production).
   */
  ALLOWED_HOSTS?: string
  /**
   * Port of the listener for `/metrics`, `/livez` and `/readyz`; `0` switches it off.
   */
  OPS_PORT: number
  /**
   * Folder of the embedded services' data (SQLite, emails). Created if missing; must be writable.
   */
  DATA_DIR: string
  /**
   * `postgres://…` or `postgresql://…` stores all data in PostgreSQL instead, for any number of replicas; [its form](#postgresqls-address).
   */
  DATABASE_URL?: string
  /**
   * Secret from which [all keys](operate.md#keys) are derived: 32 bytes in Base64 or Base64url, as `openssl rand -base64 32` prints; default: a file in `DATA_DIR`; required with `DATABASE_URL`. Several are separated by commas: the first signs, all verify.
   */
  SECRET_KEY?: string
  /**
   * File with the same content, instead of `SECRET_KEY`.
   */
  SECRET_KEY_FILE?: string
  /**
   * [A shop's own folder](shop.md) of countries, texts, logos, flags, icons, pictures and brand, laid over the built-in shop.
   */
  SHOP_DIR?: string
  /**
   * Site of a page whose host belongs to no site; default: `DE`, or the first of the shop's own countries.
   */
  DEFAULT_SITE?: string
  /**
   * Public address of `/assets/`, such as a CDN's; default: the page's own origin, from which the newsletter's texts always come.
   */
  ASSET_BASE_URL?: string
  /**
   * Mail server: `smtp://` (STARTTLS if offered, required with a password) or `smtps://`. Without it, each email becomes a file in `DATA_DIR/outbox/`.
   */
  SMTP_URL?: string
  /**
   * Sender of emails: an address, with or without a name: `Shop <news@shop.example>`.
   */
  MAIL_FROM: string
  /**
   * Receives [the newsletter's events](webhook.md), of the embedded service only. Events and tokens are personal data: use https outside your own networks.
   */
  NEWSLETTER_WEBHOOK_URL?: string
  /**
   * Signs these events: [`whsec_…`](webhook.md#secret), required with the address. Several are separated by commas, and each signs.
   */
  NEWSLETTER_WEBHOOK_SECRET?: string
  /**
   * File with the same content, instead of `NEWSLETTER_WEBHOOK_SECRET`.
   */
  NEWSLETTER_WEBHOOK_SECRET_FILE?: string
  /**
   * Signs [the bounces and complaints](webhook.md#report-bounces) that the newsletter's sender reports: `whsec_…`. Several are separated by commas, and each is accepted. Without it, none are.
   */
  NEWSLETTER_EVENTS_SECRET?: string
  /**
   * File with the same content, instead of `NEWSLETTER_EVENTS_SECRET`.
   */
  NEWSLETTER_EVENTS_SECRET_FILE?: string
  /**
   * Comma-separated headers that carry [the tags of a response](include.md#purge-an-edge), by which an edge purges it: such as `Surrogate-Key`, `Cache-Tag`, `Edge-Cache-Tag`, or the one that a CloudFront distribution names. Spaces separate the tags in `Surrogate-Key`, commas in all others.
   */
  EDGE_TAG_HEADERS: string
  /**
   * Address at which [the service purges a country or a changed image](include.md#purge-an-edge) from the edge. Queued purges are in the store, which is therefore opened even if every service is real.
   */
  PURGE_URL?: string
  /**
   * How the edge at `PURGE_URL` is asked to purge: `varnish` (`PURGE`, as its recipe expects), `fastly` (soft purge by keys), `cloudflare` (purge by tags), or `webhook` ([a signed message](include.md#another-edge) to a receiver of yours).
   */
  PURGE_FORM: ("varnish" | "fastly" | "cloudflare" | "webhook")
  /**
   * Token of an API that Fastly or Cloudflare gives you, or the `whsec_…` that signs messages to a `webhook`, where several are separated by commas. Required with these forms.
   */
  PURGE_TOKEN?: string
  /**
   * File with the same content, instead of `PURGE_TOKEN`.
   */
  PURGE_TOKEN_FILE?: string
  /**
   * `on` asks the site's own origin after each purge, and [warns if the old copy stays](include.md#purge-an-edge). The service must reach its sites' public origins.
   */
  PURGE_CHECK: ("on" | "off")
  /**
   * `on` caches fragments and the login page for a minute, `off` renders every request. [Parts](develop.md#how-a-page-is-streamed) that all variants of a footer share are cached in both cases.
   */
  RENDER_CACHE: ("on" | "off")
  /**
   * Comma-separated addresses or CIDRs of the edge proxies. `X-Forwarded-For`, `X-Forwarded-Proto` and `X-Forwarded-Host` are trusted only from these.
   */
  TRUST_PROXY?: string
  /**
   * The header `Strict-Transport-Security`: `max-age=` with seconds, then `; includeSubDomains` and `; preload` if wanted; `off` sends none.
   */
  HSTS: string
  /**
   * Where browsers report [violations of the pages' policies](headers.md#reports-of-browsers). Without it, they report none.
   */
  REPORT_URL?: string
  /**
   * `on` serves the overview at `/` of hosts that belong to no site, the services' OpenAPI documents at `/openapi/<service>.json`, and the widgets at `/widgets` and `/widgets/<name>`. It also serves the newsletter's emails at `/outbox`, unless `SMTP_URL` or `UPSTREAM_NEWSLETTER_URL` is set or `NODE_ENV` is `production`. `off` answers all of them with 404. Default: as `DEMO`.
   */
  OVERVIEW?: ("on" | "off")
  /**
   * Comma-separated addresses or CIDRs of back-office servers that call the newsletter service for visitors. Their `X-Original-Address` is trusted, for the newsletter only; that of all others is ignored and not forwarded.
   */
  ORIGINAL_ADDRESS_FROM?: string
  /**
   * The A/B test service.
   */
  UPSTREAM_ABTEST_URL?: string
  /**
   * The promotion service.
   */
  UPSTREAM_PROMOTION_URL?: string
  /**
   * The newsletter service.
   */
  UPSTREAM_NEWSLETTER_URL?: string
  /**
   * The customer service.
   */
  UPSTREAM_CUSTOMER_URL?: string
  /**
   * The login service.
   */
  UPSTREAM_LOGIN_URL?: string
  /**
   * The preview service.
   */
  UPSTREAM_PREVIEW_URL?: string
  /**
   * [The service that provides footers and their texts](services.md#footer-content) in place of the built-in ones.
   */
  UPSTREAM_CONTENT_URL?: string
  /**
   * The `issuer` of the OpenID provider at which customers sign in, such as `https://login.example/realms/shop`. The discovery document is below this address.
   */
  OIDC_ISSUER?: string
  /**
   * The id of the shop's client at the provider; required with the issuer.
   */
  OIDC_CLIENT_ID?: string
  /**
   * The client's secret; required with the issuer.
   */
  OIDC_CLIENT_SECRET?: string
  /**
   * File with the same content, instead of `OIDC_CLIENT_SECRET`.
   */
  OIDC_CLIENT_SECRET_FILE?: string
  /**
   * The `issuer` of the OpenID provider at which staff sign in for the preview.
   */
  OIDC_STAFF_ISSUER?: string
  /**
   * The id of the preview's client at this provider; required with the issuer.
   */
  OIDC_STAFF_CLIENT_ID?: string
  /**
   * The client's secret; required with the issuer.
   */
  OIDC_STAFF_CLIENT_SECRET?: string
  /**
   * File with the same content, instead of `OIDC_STAFF_CLIENT_SECRET`.
   */
  OIDC_STAFF_CLIENT_SECRET_FILE?: string
  /**
   * A claim and its value, such as `groups=shop-staff`. Only people who have it may preview. Required with the issuer.
   */
  OIDC_STAFF_GROUP?: string
  /**
   * The value that the claim `acr` or `amr` of a sign-in must have, such as `mfa`. The provider is asked for it.
   */
  OIDC_STAFF_ACR?: string
  /**
   * `on` serves the sites at `http://de.localhost:3000` and so on, has a page behind each of their links, and adds an A/B test, promotions, the customer `demo@example.com` and the member of staff `staff@example.com`. Anyone who can reach a demo can read its emails, with their addresses and links, at `/outbox`: keep it on networks that you trust. `off` turns all of this off, and locks these two accounts if an earlier start created them. Default: `on`, unless `NODE_ENV` is `production`.
   */
  DEMO?: ("on" | "off")
  /**
   * Password of the demo accounts, 8 to 256 characters; without it, the service derives one from its secret key. Every start prints it. If you set it later, it replaces that password.
   */
  DEMO_PASSWORD?: string
  /**
   * The collector, such as `http://collector:4318`; `/v1/traces` and `/v1/metrics` are added.
   */
  OTEL_EXPORTER_OTLP_ENDPOINT?: string
  /**
   * Address of the collector for traces, used as it is, instead of `OTEL_EXPORTER_OTLP_ENDPOINT`.
   */
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?: string
  /**
   * The same for metrics.
   */
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT?: string
  /**
   * Headers for the collector, such as `api-key=…`; comma-separated, special characters percent-encoded. Secret.
   */
  OTEL_EXPORTER_OTLP_HEADERS?: string
  /**
   * The same for traces alone; overrides `OTEL_EXPORTER_OTLP_HEADERS`.
   */
  OTEL_EXPORTER_OTLP_TRACES_HEADERS?: string
  /**
   * The same for metrics alone.
   */
  OTEL_EXPORTER_OTLP_METRICS_HEADERS?: string
  /**
   * `http/protobuf` or `http/json`; `grpc` isn't supported.
   */
  OTEL_EXPORTER_OTLP_PROTOCOL: ("http/protobuf" | "http/json")
  /**
   * `http/protobuf` or `http/json`, for traces; default: `OTEL_EXPORTER_OTLP_PROTOCOL`.
   */
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL?: ("http/protobuf" | "http/json")
  /**
   * The same for metrics.
   */
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL?: ("http/protobuf" | "http/json")
  /**
   * Which traces are recorded: `always_on`, `always_off` or `traceidratio`. With `parentbased_` in front of these, the sender of a trace decides, and the rest holds for requests without one.
   */
  OTEL_TRACES_SAMPLER: ("always_on" | "always_off" | "traceidratio" | "parentbased_always_on" | "parentbased_always_off" | "parentbased_traceidratio")
  /**
   * Fraction of the traces that the two samplers with a ratio record, from 0 to 1.
   */
  OTEL_TRACES_SAMPLER_ARG: number
  /**
   * Name of the service in traces, metrics by OTLP and, if set, in every line of the log; default: `storefront-fragments`, not in the log.
   */
  OTEL_SERVICE_NAME?: string
  /**
   * More attributes of the service in traces and in metrics by OTLP, such as `k8s.pod.name=…`; comma-separated, special characters percent-encoded.
   */
  OTEL_RESOURCE_ATTRIBUTES?: string
  /**
   * `otlp` sends traces, `none` doesn't.
   */
  OTEL_TRACES_EXPORTER?: ("otlp" | "none")
  /**
   * `otlp` sends metrics, `none` and `prometheus` don't. `/metrics` always answers.
   */
  OTEL_METRICS_EXPORTER: ("otlp" | "prometheus" | "none")
  /**
   * Milliseconds between two exports of metrics, at least 1000.
   */
  OTEL_METRIC_EXPORT_INTERVAL: number
  /**
   * Milliseconds after which an export of metrics is given up, at most the interval.
   */
  OTEL_METRIC_EXPORT_TIMEOUT: number
  /**
   * `true` turns traces and the export of metrics off.
   */
  OTEL_SDK_DISABLED?: ("true" | "false")
  /**
   * `production` turns `DEMO` off unless it is set, and refuses [what harms shoppers](#production); the image sets it. `prod` and the like are refused.
   */
  NODE_ENV?: string
  /**
   * Who runs [a command](commands.md), for [the audit](operate.md#audit); default: the system's user.
   */
  OPERATOR?: string
  /**
   * `trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`.
   */
  LOG_LEVEL: ("trace" | "debug" | "info" | "warn" | "error" | "fatal" | "silent")
  [k: string]: unknown
}

/**
 * Query parameters of the footer fragment. Others are ignored.
 */
export interface FooterParameters {
  /**
   * `true` leaves out newsletter, teasers, category links, social media and apps.
   */
  reduced: boolean
  /**
   * The device, as far as the edge knows it: `MATCH`, `TABLET` or `CLASSIC`. `MATCH` and `TABLET` set the layout until the page's `data-platform`, the visitor's choice or a resized window changes it; `CLASSIC` leaves it to the window's width.
   */
  platform: ("MATCH" | "TABLET" | "CLASSIC")
  /**
   * `false` leaves out the newsletter part.
   */
  newsletter: boolean
  /**
   * `true` puts the staff's preview panel into the footer; otherwise it is at the end of the page.
   */
  preview: boolean
  /**
   * `absolute` puts the site's origin in front of the paths of links, for pages on other hosts. These links still open in the same tab.
   */
  links: ("relative" | "absolute")
  /**
   * The group of an A/B test, `<test>:<group>`: the footer has the promotion that this group sees. If the test isn't active, or has no such group, the footer is everybody's, and the answer has `X-Fragment-Variant: none`. Names have letters, digits, `_`, `.` and `-`, at most 64.
   */
  variant?: string
  /**
   * `none` omits the tags for styles and scripts, for pages with `/fragments/head` in their head; `inline` includes them.
   */
  assets: ("inline" | "none")
}

/**
 * A fragment, and all that a page needs to include it.
 */
export interface FragmentData {
  /**
   * The fragment's name.
   */
  fragment: string
  /**
   * The code of the country site.
   */
  site: string
  /**
   * The language of the site, such as `de-AT`.
   */
  locale: string
  /**
   * Identifies the build, equal on every replica.
   */
  build: string
  /**
   * `stale` and `fallback` replace a fragment that can't be rendered.
   */
  state: ("fresh" | "stale" | "fallback")
  /**
   * The fragment's element, without the tags that load its files.
   */
  html: string
  /**
   * The tags that load the fragment's files, for the head of the page.
   */
  head: string
  /**
   * The fragment's stylesheets, in the order in which a page loads them.
   */
  styles: {
    href: string
    integrity: string
  }[]
  /**
   * The fragment's scripts.
   */
  scripts: {
    src: string
    integrity: string
    type: "module"
  }[]
  /**
   * The sources that the page's policy must allow, by directive.
   */
  contentSecurityPolicy: {
    "script-src": string[]
    "style-src": string[]
    "img-src": string[]
    "font-src"?: string[]
    "connect-src": string[]
    "form-action": string[]
  }
  /**
   * The paths that must reach the service. A path that ends with a slash includes all paths below it.
   */
  routes: string[]
  /**
   * The tags by which a copy of the answer is purged, such as `country-DE`.
   */
  tags?: string[]
}

/**
 * Query parameters of the head fragment. It has none besides the site.
 */
export interface HeadParameters {}

/**
 * Query parameters of the header fragment. Others are ignored.
 */
export interface HeaderParameters {
  /**
   * `none` omits the tags for styles, for pages with `/fragments/head` in their head; `inline` includes them.
   */
  assets: ("inline" | "none")
}

/**
 * The known email address of a visitor, if there is one.
 */
export interface KnownEmail {
  email?: (string | null)
}

/**
 * The credentials of a customer.
 */
export interface LoginRequest {
  email: string
  password: string
  /**
   * Whether to stay signed in after the browser is closed.
   */
  stayLoggedIn?: boolean
}

/**
 * A subscriber's changes. They can't include the address, because a new address would have to be confirmed.
 */
export interface NewsletterChange {
  /**
   * Null removes it.
   */
  salutation?: ("MR" | "MRS" | "COMPANY" | "DIVERS" | null)
  firstName?: string
  lastName?: string
  consents?: ("DNE" | "NEWSLETTER")[]
  categories?: NonNullable<NewsletterSubscription["categories"]>
}

/**
 * Answer to the confirmation of a sign-up for the newsletter.
 */
export interface NewsletterConfirmed {
  status: "SUBSCRIBED"
}

/**
 * A report by the sender of the newsletter about an address: a bounce or a complaint.
 */
export interface NewsletterEventReport {
  type: ("subscription.bounced" | "subscription.complained")
  /**
   * When it happened.
   */
  timestamp: string
  data: {
    /**
     * Matched without regard to capitals.
     */
    email: string
    /**
     * The site of the newsletter; without it, all sites.
     */
    site?: string
    /**
     * `hard` if the address doesn't exist, `soft` if it couldn't be reached. Only bounces need it.
     */
    kind?: ("hard" | "soft")
  }
}

/**
 * An event that the receiver of the newsletter's events gets.
 */
export type NewsletterEvent = (SubscriberEvent | EndedEvent | ErasedEvent)

/**
 * Somebody has confirmed a sign-up, or a subscriber has changed it.
 */
export interface SubscriberEvent {
  type: ("subscription.confirmed" | "subscription.changed")
  /**
   * When it happened, in UTC.
   */
  timestamp: string
  data: {
    /**
     * Id of the subscription.
     */
    id: string
    site: string
    email: string
    status: "SUBSCRIBED"
    salutation: ("MR" | "MRS" | "COMPANY" | "DIVERS" | null)
    firstName: (string | null)
    lastName: (string | null)
    consents: ("DNE" | "NEWSLETTER")[]
    categories: string[]
    origin: string
    originAddition: (string | null)
    confirmedAt: string
    /**
     * Language and region of the site, such as de-CH; null once the shop has no such site.
     */
    locale: (string | null)
    /**
     * The voucher that came with the confirmation; null if there was none, it has expired, or no imported code was left yet.
     */
    voucher: ({
      code: string
    } | null)
    /**
     * The declaration that the subscriber has confirmed; null if it is unknown.
     */
    consent: ({
      /**
       * The version of the text that the form showed, as in the proof of consent.
       */
      version: string
      /**
       * When the form was sent.
       */
      at: string
    } | null)
    /**
     * The page where the subscriber changes names, topics and consents; null once the shop has no such site. It lasts as long as the subscription.
     */
    preferencesUrl: (string | null)
    /**
     * Reports openings, and ends the subscription.
     */
    token: string
  }
}
/**
 * A subscription has ended: no newsletter may be sent to the address any more.
 */
export interface EndedEvent {
  type: "subscription.unsubscribed"
  /**
   * When it happened, in UTC.
   */
  timestamp: string
  data: {
    /**
     * Id of the subscription.
     */
    id: string
    site: string
    email: string
    status: "UNSUBSCRIBED"
    /**
     * Always empty.
     *
     * @maxItems 0
     */
    consents: unknown[]
    /**
     * `wish`: the subscriber has ended it. `unopened`: no newsletter was opened for the time that the country allows. `bounced`, `complained`: the sender has reported a hard bounce or a complaint.
     */
    reason: ("wish" | "unopened" | "bounced" | "complained")
  }
}
/**
 * All data about a subscriber must be erased.
 */
export interface ErasedEvent {
  type: "subscription.erased"
  /**
   * When it happened, in UTC.
   */
  timestamp: string
  data: {
    /**
     * Id of the subscription, as in its other events.
     */
    id: string
    site: string
  }
}

/**
 * Query parameters of the newsletter fragment. Others are ignored.
 */
export interface NewsletterParameters {
  /**
   * The block's place in the shop: `NEWSLETTER` or `SHOPPING_CART`.
   */
  origin: ("NEWSLETTER" | "SHOPPING_CART")
  /**
   * The form's place on the page, for tracking and the consent record: letters, digits, `_`, `.` and `-`, at most 64.
   */
  originAddition: string
  /**
   * `none` omits the tags for styles and scripts, for pages with `/fragments/head` in their head; `inline` includes them.
   */
  assets: ("inline" | "none")
}

/**
 * What subscribers see and change on their page. A field that is missing counts as empty.
 */
export interface NewsletterPreferences {
  /**
   * `UNSUBSCRIBED` if the subscription has ended. The other fields aren't read then.
   */
  status: ("WAITING_FOR_DOI" | "SUBSCRIBED" | "UNSUBSCRIBED")
  /**
   * The code of the site whose rules and language the page has. Default: that of the call.
   */
  site?: string
  salutation?: ("MR" | "MRS" | "COMPANY" | "DIVERS" | null)
  firstName?: (string | null)
  lastName?: (string | null)
  consents?: ("DNE" | "NEWSLETTER")[]
  /**
   * The categories of a sign-up. The page shows those that the site offers.
   */
  categories?: string[]
}

/**
 * The status of a subscription to the newsletter.
 */
export interface NewsletterStatus {
  status: ("NONE" | "WAITING_FOR_DOI" | "SUBSCRIBED" | "UNSUBSCRIBED")
}

/**
 * A sign-up for the newsletter. client/rules/subscription.ts checks the further rules of each country.
 */
export interface NewsletterSubscription {
  email: string
  salutation?: ("MR" | "MRS" | "COMPANY" | "DIVERS")
  firstName?: string
  lastName?: string
  /**
   * The ticked boxes: DNE is the consent to personalised offers, NEWSLETTER the one to commercial messages.
   */
  consents?: ("DNE" | "NEWSLETTER")[]
  /**
   * What the subscriber is interested in, among the categories that the country offers.
   */
  categories?: ("WOMEN_FASHION" | "MEN_FASHION" | "SPORT" | "LIVING_FURNITURE" | "HOBBY" | "KIDS" | "KITCHEN" | "SLEEPING" | "DISCOUNTS" | "COFFEE" | "MOBILE" | "CARD" | "STORE")[]
  /**
   * The form's place in the shop.
   */
  origin?: ("NEWSLETTER" | "SHOPPING_CART")
  /**
   * The form's place on the page.
   */
  originAddition?: string
}

/**
 * The hash by which browsers check the file: https://www.w3.org/TR/SRI/
 */
export type Integrity = string

/**
 * Podium's manifest of a fragment.
 */
export interface PodletManifest {
  name: string
  /**
   * Changes with the manifest and the fallback, but not with the hashes of built files. Equal on every replica.
   */
  version: string
  content: string
  fallback: string
  css: {
    value: string
    type: "text/css"
    rel: "stylesheet"
    integrity: Integrity
    crossorigin: "anonymous"
  }[]
  js: {
    value: string
    type: "module"
    integrity: Integrity
    crossorigin: "anonymous"
  }[]
}

/**
 * The outcome of a call of the preview service.
 */
export interface PreviewAnswer {
  status: ("SUCCESS" | "BAD_REQUEST" | "INTERNAL_ERROR" | "UNAUTHORIZED")
}

/**
 * Whether staff are signed in, and what they preview.
 */
export interface PreviewCheckAnswer {
  /**
   * SUCCESS for staff who are signed in.
   */
  status: string
  dateTime?: string
  /**
   * Empty if no test is selected; the group is then empty, too.
   */
  abTestName?: string
  abTestGroup?: string
}

/**
 * Answer of the promotion service.
 */
export interface PromotionAnswer {
  /**
   * A promotion, as JSON in a string.
   */
  contentJSON: string
}

/**
 * The content of a promotion.
 */
export interface Promotion {
  headline: string
  text: string
  link: {
    /**
     * A path of the site, or an address with http or https.
     */
    url: string
    text: string
  }
}

/**
 * The reason why a call has failed.
 */
export interface ServiceError {
  /**
   * The name of the failure, for programs.
   */
  type: string
  /**
   * The reason as a sentence, for people.
   */
  title: string
  /**
   * The status of the answer.
   */
  status: number
  /**
   * The wrong fields of the request.
   */
  errors?: {
    field: string
    /**
     * The rule that the field breaks.
     */
    message: string
  }[]
}

/**
 * A/B tests and promotions that operators add to the store.
 */
export interface ShopImport {
  /**
   * Address of this schema, for editors.
   */
  $schema?: string
  /**
   * @maxItems 200
   */
  abTests?: {
    name: string
    /**
     * Names of the groups, in the order in which staff can select them.
     *
     * @minItems 1
     * @maxItems 20
     */
    groups: string[]
    validFrom: string
    /**
     * The first moment at which it is no longer valid.
     */
    validTo?: string
  }[]
  /**
   * @maxItems 2000
   */
  promotions?: {
    id: string
    /**
     * Place in the shop, such as SHOP_FOOTER.
     */
    key: string
    site: string
    headline: string
    text: string
    link: {
      /**
       * A path of the site, or an address with http or https.
       */
      url: string
      text: string
    }
    validFrom: string
    validTo?: string
    test?: string
    group?: string
  }[]
}

/**
 * Answer of the content service: a site's footer content, which replaces the built-in one.
 */
export interface SiteContentAnswer {
  /**
   * Replaces the whole `footer` of the country's file.
   */
  footer?: Footer
  /**
   * Lie over the texts of the footer, those in `locales/<locale>/footer.json`, key by key. Further texts are allowed, for this footer only.
   */
  texts?: {
    [k: string]: string
  }
}

/**
 * The credentials of a member of staff.
 */
export interface StaffLogin {
  user: string
  password: string
}

/**
 * A subscriber, in a line that `subscribers export --json` prints and `subscribers import` reads.
 */
export interface SubscriberLine {
  /**
   * Id of the subscription.
   */
  id?: string
  site: string
  email: string
  /**
   * An import takes `confirmed` subscribers with `confirmedAt`, and `withdrawn` ones with `changedAt`.
   */
  status: ("pending" | "confirmed" | "withdrawn" | "refused" | "expired")
  salutation?: ("MR" | "MRS" | "COMPANY" | "DIVERS" | null)
  firstName?: (string | null)
  lastName?: (string | null)
  consents?: ("DNE" | "NEWSLETTER")[]
  categories?: ("WOMEN_FASHION" | "MEN_FASHION" | "SPORT" | "LIVING_FURNITURE" | "HOBBY" | "KIDS" | "KITCHEN" | "SLEEPING" | "DISCOUNTS" | "COFFEE" | "MOBILE" | "CARD" | "STORE")[]
  origin?: ("NEWSLETTER" | "SHOPPING_CART")
  originAddition?: (string | null)
  signedUpAt?: string
  confirmedAt?: (string | null)
  /**
   * When the subscription last changed or ended.
   */
  changedAt?: string
  /**
   * When a newsletter was last opened, as far as openings are reported.
   */
  lastOpenedAt?: (string | null)
  /**
   * When the newsletter was stopped because it hadn't been opened for long.
   */
  sendingStoppedAt?: (string | null)
  /**
   * The token in the links of newsletters, which stay valid.
   */
  token?: (string | null)
  /**
   * The token in the links to the subscriber's page.
   */
  preferencesToken?: (string | null)
  /**
   * @maxItems 1
   */
  vouchers?: {
    code: string
    /**
     * In percent.
     */
    discount: number
    singleUse: boolean
    issuedAt: string
    validUntil: (string | null)
  }[]
  /**
   * The proof of consent: all declarations, in their order.
   *
   * @maxItems 500
   */
  records?: {
    event: ("requested" | "confirmed" | "changed" | "refused" | "withdrawn" | "stopped" | "imported")
    at: string
    /**
     * The values of the form.
     */
    declaration: {
      email?: string
      site?: string
      salutation?: (string | null)
      firstName?: (string | null)
      lastName?: (string | null)
      consents?: string[]
      categories?: string[]
      origin?: string
      originAddition?: (string | null)
      /**
       * For an import: the origin of the consent.
       */
      note?: string
    }
    /**
     * The text that the form showed.
     */
    text?: (string | null)
    textVersion?: (string | null)
    language?: (string | null)
    /**
     * A keyed hash of the network address.
     */
    networkHash?: (string | null)
    /**
     * The email that was sent, or the one whose link was used.
     */
    mailId?: (string | null)
    /**
     * The deadline for reporting to a public register.
     */
    exportDueAt?: (string | null)
    exportedAt?: (string | null)
  }[]
}
