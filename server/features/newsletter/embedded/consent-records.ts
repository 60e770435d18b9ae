import { createHash, randomUUID } from "node:crypto";
import type { Moment } from "../../../../client/rules/time.ts";
import { hmac } from "../../../platform/secret-keys.ts";
import { splitLinks } from "../../../platform/text-links.ts";
import type { Texts } from "../../../platform/texts.ts";
import type { Site } from "../../../sites/countries.ts";
import { consentTexts, textValues } from "../../../sites/legal-texts.ts";
import type { StoreTransaction } from "../../../store/in-transaction.ts";
import type { AppContext } from "../../feature.ts";
import type { Caller } from "../service.ts";
import { registerDeadline } from "./iys.ts";
import type { ConsentEvent } from "./newsletter-tables.ts";
import { showFields } from "./personal-fields.ts";
import type { Subscription } from "./subscriptions.ts";

interface ConsentRecord {
  event: ConsentEvent;
  /** The subscription before the event; for a sign-up, as it was requested. */
  subscription: Subscription;
  at: Moment;
  /** Undefined when the service acted by itself. */
  caller?: Caller;
  mailId?: string | undefined;
}

/** Creates the function that adds declarations to the proof of consent. A sign-up has the text that its form shows. */
export function createConsentRecords({ countries, keys, texts }: AppContext) {
  /** With this key, a caller's address can be compared, but not read. */
  const networkKey = keys.signing("network-address");
  /** Writing a text takes as long as storing a sign-up. */
  const shownTexts = new Map<string, ReturnType<typeof writeShownText>>();

  return async (transaction: StoreTransaction, records: readonly ConsentRecord[]): Promise<void> => {
    await transaction.insertInto("consentRecord").values(records.map(toRow)).execute();
  };

  function toRow({ event, subscription, at, caller, mailId }: ConsentRecord) {
    const { id: subscriptionId, email, site } = subscription;
    const country = countries.get(site);
    const isForRegister = event === "confirmed" || (event === "withdrawn" && subscription.state === "confirmed");
    return {
      id: randomUUID(),
      subscriptionId,
      event,
      at,
      declaration: JSON.stringify({ email, site, ...showFields(subscription) }),
      ...(event === "requested" && country ? shownTextOf(country) : { text: null, textVersion: null, language: null }),
      networkHash: caller?.address ? hmac(networkKey, caller.address) : null,
      mailId: mailId ?? null,
      exportDueAt: isForRegister && country?.newsletter.consentRegister === "IYS" ? registerDeadline(at) : null,
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
