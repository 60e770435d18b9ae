import type { TextKeys } from "../../schemas/types.ts";
import type { NewsletterRules, SubscriptionFault, SubscriptionValues } from "./subscription.ts";

/** The props of the sign-up block. Plain data, because they are sent to the browser as JSON. */
export interface NewsletterProps extends NewsletterContent, NewsletterPlace {}

/** The props that differ between blocks. */
export interface NewsletterPlace {
  origin: "NEWSLETTER" | "SHOPPING_CART";
  originAddition: string;
  /** Heading level of the title. */
  level: 1 | 2 | 3;
  /** The result of a form that was submitted without script, or of a confirmation link. */
  answer?: NewsletterAnswer;
}

/** The place of the block in every footer. */
export const footerPlace = { origin: "NEWSLETTER", originAddition: "footer", level: 3 } as const;

/** The props that all blocks of a site share, with the most common place. */
export interface NewsletterContent extends NewsletterPlace {
  /** Code of the site. */
  site: string;
  settings: NewsletterRules & {
    personalisedOffers: "inline" | "expandable";
    /** Whether the known salutation and names of a signed-in customer are locked. */
    lockPrefilled: boolean;
    /** The name fields, in the country's usual order. */
    nameFields: readonly ("firstName" | "lastName")[];
  };
  /** The welcome voucher, if there is one. The discount is formatted for the country, such as `10 %`. */
  voucher?: { discount: string; name: string };
  pictures: { desktop: string; tablet: string };
  texts: Record<(typeof blockTexts)[number], string>;
  widgetTexts: Record<(typeof blockWidgetTexts)[number], string>;
  /** Label of the consent to personalised offers. */
  personalisedOffersLabel: TextSegment[];
  /** Label of the consent to commercial electronic messages, if the country requires it. */
  legalsLabel?: TextSegment[];
  /** The paragraphs of the legal text. The first is the consent itself. */
  legal: TextSegment[][];
}

/** A piece of text; a link if it has a URL. */
export interface TextSegment {
  text: string;
  url?: string;
  /** Whether an absolute URL is one of the site itself. */
  isOwn?: true;
}

export type NewsletterAnswer =
  /** `tracked` is the origin for analytics, as `origin:originAddition`, if the form was submitted without script. */
  | { status: "success"; email?: string; tracked?: string }
  | { status: "invalidLink" }
  | { status: "technicalError"; values: SubscriptionValues }
  | { status: "invalid"; values: SubscriptionValues; faults: SubscriptionFault[] };

/** Keys of the texts without links. */
export const blockTexts = [
  "title",
  "intro",
  "success.heading",
  "success.text",
  "success.address",
  "success.spam",
  "bar.technical",
  "bar.invalidLink",
  "email.label",
  "typo",
  "firstName.label",
  "lastName.label",
  "customer.locked",
  "personalisedOffers.heading",
  "honeypot",
  "submit",
  "error.email.required",
  "error.email.invalid",
  "error.email.tooLong",
  "error.salutation.required",
  "error.firstName.required",
  "error.lastName.required",
  "error.name.invalid",
  "error.name.tooLong",
  "error.legals.required",
] as const satisfies TextKeys["newsletter"][];

/** Keys of the widget texts in the block. */
export const blockWidgetTexts = [
  "loading",
  "optional",
  "select.placeholder",
  "salutation.label",
  "salutation.mrs",
  "salutation.mr",
  "salutation.divers",
  "salutation.company",
  "expandable.more",
  "expandable.less",
  "notification.info",
  "notification.error",
] as const satisfies TextKeys["widgets"][];
