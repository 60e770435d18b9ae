import type { PreferencesFormProps, PreferencesPageProps } from "../../../client/pages/PreferencesPage.tsx";
import { type Category, offeredCategories } from "../../../client/rules/categories.ts";
import { blockWidgetTexts } from "../../../client/rules/newsletter-block.ts";
import type { SubscriptionFault } from "../../../client/rules/subscription.ts";
import type { TextKeys } from "../../../schemas/types.ts";
import { splitLinks } from "../../platform/text-links.ts";
import { pickTexts, type Texts } from "../../platform/texts.ts";
import type { Site } from "../../sites/countries.ts";
import { offersTexts, textValues } from "../../sites/legal-texts.ts";
import type { Preferences } from "./service.ts";

/** The key of each category's name. */
const categoryTexts = {
  WOMEN_FASHION: "category.womenFashion",
  MEN_FASHION: "category.menFashion",
  SPORT: "category.sport",
  LIVING_FURNITURE: "category.livingFurniture",
  HOBBY: "category.hobby",
  KIDS: "category.kids",
  KITCHEN: "category.kitchen",
  SLEEPING: "category.sleeping",
  DISCOUNTS: "category.discounts",
  COFFEE: "category.coffee",
  MOBILE: "category.mobile",
  CARD: "category.card",
  STORE: "category.store",
} as const satisfies Record<Category, TextKeys["preferences"]>;

/** Creates the functions that write the forms of the subscriber's page in the language of a site. */
export function createPreferencesTexts(texts: Texts) {
  return { formOf, requestOf, endOf, pageText, linkText };

  function pageText({ locale }: Site) {
    return texts.translator(locale, "preferences");
  }

  /** Returns the translator of all pages to which the newsletter's mails lead. */
  function linkText({ locale, facts }: Site) {
    return texts.translator(locale, "subscription", facts);
  }

  function newsletterText({ locale, newsletter }: Site) {
    return texts.translator(locale, "newsletter", textValues(locale, newsletter));
  }

  /** Builds the form with the subscriber's stored data, or with data that were entered wrongly. */
  function formOf(
    site: Site,
    token: string,
    values: Preferences,
    faults: readonly SubscriptionFault[],
  ): PreferencesFormProps {
    const { newsletter } = site;
    const page = pageText(site);
    const text = newsletterText(site);
    const word = texts.translator(site.locale, "widgets");
    const names = newsletter.familyNameFirst
      ? (["lastName", "firstName"] as const)
      : (["firstName", "lastName"] as const);
    return {
      token,
      values,
      names: names.map((name) => ({
        name,
        label: text(`${name}.label`),
        autoComplete: name === "firstName" ? "given-name" : "family-name",
      })),
      required: { salutation: newsletter.salutation === "required", names: newsletter.names === "required" },
      errors: Object.fromEntries(faults.map(({ field, key }) => [field, text(key)])),
      categories: offeredCategories(newsletter).map((value) => ({
        value,
        label: page(categoryTexts[value]),
        checked: values.categories.includes(value),
      })),
      offers: {
        label: splitLinks(offersTexts(newsletter).map(text).join(" "), newsletter.links),
        checked: values.consents.includes("DNE"),
      },
      texts: {
        person: page("person.heading"),
        categories: page("categories.heading"),
        categoriesHint: page("categories.hint"),
        offers: text("personalisedOffers.heading"),
        submit: page("submit"),
        errors: word("errorSummary.heading"),
        optional: word("optional"),
      },
      salutationTexts: pickTexts(blockWidgetTexts, word),
    };
  }

  /** Builds the form that asks for a link by email. */
  function requestOf(
    site: Site,
    wrong?: { email: string; faults: readonly SubscriptionFault[] },
  ): NonNullable<PreferencesPageProps["request"]> {
    const text = newsletterText(site);
    const [fault] = wrong?.faults ?? [];
    return {
      site: site.site,
      label: text("email.label"),
      button: pageText(site)("request.submit"),
      ...(wrong && { email: wrong.email }),
      ...(fault && { error: text(fault.key) }),
    };
  }

  /** Builds the button that ends the subscription. */
  function endOf(site: Site, token: string) {
    return { token, button: linkText(site)("unsubscribe.button") };
  }
}
