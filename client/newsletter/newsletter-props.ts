import type { TextKeys } from "../../schemas/types.ts";
import type { NewsletterRules, SubscriptionFault, SubscriptionValues } from "../rules/subscription.ts";
import type { WidgetTextKey, WidgetTexts } from "../widgets/widget-texts.ts";

/**
 * What the sign-up block shows, with texts translated and addresses resolved. Plain data, as it also travels to the
 * browser.
 */
export interface NewsletterProps extends NewsletterContent, NewsletterPlace {}

/** Where a block stands, and what it says to what was entered. */
export interface NewsletterPlace {
  origin: "NEWSLETTER" | "SHOPPING_CART";
  originAddition: string;
  /** Level of the title's heading. */
  level: 1 | 2 | 3;
  /** What the server answers to a form that was sent without script, or to a link that led to the form. */
  answer?: NewsletterAnswer;
}

/** What all blocks of a site show. */
export interface NewsletterContent {
  /** Code of the site. */
  site: string;
  /** Address of the icon sprite. */
  sprite: string;
  settings: NewsletterRules & {
    personalisedOffers: "inline" | "expandable";
    /** A signed-in customer can't change the salutation and names that are already known. */
    lockPrefilled: boolean;
    /** The fields for the names, in the order in which people of this country say them. */
    nameFields: readonly ("firstName" | "lastName")[];
  };
  /** The discount of the welcome voucher as the country writes it: `10 %`. */
  discount: string;
  pictures: { desktop: string; tablet: string };
  texts: Record<(typeof blockTexts)[number], string>;
  widgetTexts: Pick<WidgetTexts, (typeof blockWidgetTexts)[number]>;
  /** Label of the consent to personalised offers. */
  personalisedOffersLabel: TextSegment[];
  /** Label of the consent to commercial electronic messages, where the country asks for that. */
  legalsLabel?: TextSegment[];
  /** The paragraphs of the legal text; the first is the consent itself. */
  legal: TextSegment[][];
}

/** A piece of a text; one with an address is a link. */
export interface TextSegment {
  text: string;
  url?: string;
}

export type NewsletterAnswer =
  /** `tracked` is the origin for analytics of a form that was sent without script: `origin:originAddition`. */
  | { status: "success"; email?: string; tracked?: string }
  | { status: "invalidLink" }
  | { status: "technicalError"; values: SubscriptionValues }
  | { status: "invalid"; values: SubscriptionValues; faults: SubscriptionFault[] };

/** Keys of the texts that are shown as they are. */
export const blockTexts = [
  "title",
  "intro",
  "banderole",
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

/** Keys of the widget kit's words that the block uses. */
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
  "notification.success",
  "notification.error",
] as const satisfies WidgetTextKey[];
