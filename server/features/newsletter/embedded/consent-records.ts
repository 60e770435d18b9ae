import { createHash, createHmac, randomUUID } from "node:crypto";
import type { Insertable } from "kysely";
import type { Moment } from "../../../../client/rules/time.ts";
import { splitLinks } from "../../../platform/text-links.ts";
import type { Texts } from "../../../platform/texts.ts";
import type { CountryRegistry, Site } from "../../../sites/countries.ts";
import { consentTexts, textValues } from "../../../sites/legal-texts.ts";
import type { StoreTransaction } from "../../../store/in-transaction.ts";
import type { Caller } from "../service.ts";
import { exportDeadlineOf } from "./iys.ts";
import type { ConsentEvent, ConsentRecordTable } from "./newsletter-tables.ts";
import type { Subscription } from "./subscriptions.ts";

interface ConsentRecord {
  event: ConsentEvent;
  /** The subscription before the event; for a sign-up, as it was requested. */
  subscription: Subscription;
  at: Moment;
  /** Undefined when the service acted by itself. */
  caller?: Caller;
  mailId?: string;
}

/** Adds declarations to the proof of consent. */
export type AddConsentRecords = (transaction: StoreTransaction, records: readonly ConsentRecord[]) => Promise<void>;

/**
 * Creates the function that records consent. A sign-up is recorded with the text that its form shows.
 * @param networkKey - key of the HMAC of callers' addresses: with the key, an address can be compared, but not read
 */
export function createConsentRecords(countries: CountryRegistry, texts: Texts, networkKey: Buffer): AddConsentRecords {
  const shownTexts = new Map<string, ReturnType<typeof writeShownText>>();
  return async (transaction, records) => {
    await transaction.insertInto("consentRecord").values(records.map(toRow)).execute();
  };

  function toRow({ event, subscription, at, caller, mailId }: ConsentRecord): Insertable<ConsentRecordTable> {
    const country = countries.get(subscription.site);
    return {
      id: randomUUID(),
      subscriptionId: subscription.id,
      event,
      at,
      declaration: JSON.stringify(declarationOf(subscription)),
      ...(event === "requested" && country ? shownTextOf(country) : { text: null, textVersion: null, language: null }),
      networkHash: caller?.address ? createHmac("sha256", networkKey).update(caller.address).digest("base64url") : null,
      mailId: mailId ?? null,
      exportDueAt: exportDeadlineOf(country, event, subscription.state, at),
      exportedAt: null,
    };
  }

  function shownTextOf(country: Site) {
    const shown = shownTexts.get(country.site) ?? writeShownText(country, texts);
    shownTexts.set(country.site, shown);
    return shown;
  }
}

/** Writes the texts of the sign-up form line by line, with the addresses of links. Equal texts have equal versions. */
function writeShownText({ locale, newsletter }: Site, texts: Texts) {
  const translate = texts.translator(locale, "newsletter", textValues(locale, newsletter));
  const lines = consentTexts(newsletter).map((key) =>
    splitLinks(translate(key), newsletter.links)
      .map(({ text, url }) => (url ? `${text} (${url})` : text))
      .join(""),
  );
  const text = lines.join("\n");
  return { text, textVersion: createHash("sha256").update(text).digest("hex").slice(0, 12), language: locale };
}

function declarationOf(subscription: Subscription) {
  const { email, site, salutation, firstName, lastName, consents, categories, origin, originAddition } = subscription;
  return {
    ...{ email, site, salutation, firstName, lastName, consents: JSON.parse(consents), origin, originAddition },
    ...(categories && { categories: JSON.parse(categories) }),
  };
}
