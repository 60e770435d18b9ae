import { createHash, randomUUID } from "node:crypto";
import type { Moment } from "../../../../client/rules/time.ts";
import { hmac } from "../../../platform/secret-keys.ts";
import { writeWithUrls } from "../../../platform/text-links.ts";
import type { Texts } from "../../../platform/texts.ts";
import type { Site } from "../../../sites/countries.ts";
import { consentTexts, offersTexts, textValues } from "../../../sites/legal-texts.ts";
import { type Database, inTransaction, type StoreTransaction } from "../../../store/open-store.ts";
import type { AppContext } from "../../feature.ts";
import type { NewsletterCaller } from "../service.ts";
import type { ConsentEvent } from "./newsletter-tables.ts";
import { showFields } from "./personal-fields.ts";
import type { Subscription } from "./subscriptions.ts";

/** A form with which people consent: the sign-up form, or that of the subscriber's page. */
export type ConsentForm = "signUp" | "preferences";

interface ConsentRecord {
  event: ConsentEvent;
  /** The subscription before the event; for a sign-up, as it was requested. */
  subscription: Subscription;
  at: Moment;
  /** Undefined if the service acted by itself. */
  caller?: NewsletterCaller;
  mailId?: string | undefined;
  /** The form of the shop that was used; undefined if there was none, or if only the caller knows. */
  form?: ConsentForm | undefined;
}

/**
 * Creates the function that adds declarations to the proof of consent. A declaration by a form includes the text that
 * the form shows.
 */
export function createConsentRecords({ countries, keys, texts }: AppContext) {
  /** With this key, a caller's address can be compared but not read. */
  const networkKey = keys.signing("network-address");
  /** Cached, because writing a text takes as long as storing a sign-up. */
  const shownTexts = new Map<string, ReturnType<typeof writeShownText>>();

  return async (transaction: StoreTransaction, records: readonly ConsentRecord[]): Promise<void> => {
    await transaction.insertInto("consentRecord").values(records.map(toRow)).execute();
  };

  function toRow({ event, subscription, at, caller, mailId, form }: ConsentRecord) {
    const { id: subscriptionId, email, site } = subscription;
    const country = countries.get(site);
    const isForRegister = event === "confirmed" || (event === "withdrawn" && subscription.state === "confirmed");
    return {
      id: randomUUID(),
      subscriptionId,
      event,
      at,
      declaration: JSON.stringify({ email, site, ...showFields(subscription) }),
      ...(form && country ? shownTextOf(country, form) : { text: null, textVersion: null, language: null }),
      networkHash: caller?.address ? hmac(networkKey, caller.address) : null,
      mailId: mailId ?? null,
      exportDueAt: isForRegister && country?.newsletter.consentRegister === "IYS" ? registerDeadline(at) : null,
      exportedAt: null,
    };
  }

  function shownTextOf(country: Site, form: ConsentForm) {
    const key = `${form} ${country.site}`;
    const shown = shownTexts.get(key) ?? writeShownText(country, texts, form);
    shownTexts.set(key, shown);
    return shown;
  }
}

/** Writes the texts of a form line by line, with the URLs of links. Equal texts have equal versions. */
function writeShownText(site: Site, texts: Texts, form: ConsentForm) {
  const { locale, newsletter } = site;
  const translate = texts.translator(locale, "newsletter", textValues(locale, newsletter));
  const ofPage = texts.translator(locale, "preferences");
  const shown =
    form === "signUp"
      ? consentTexts(site).map(translate)
      : [ofPage("title"), ...offersTexts(newsletter).map(translate), ofPage("submit")];
  const lines = shown.map((line) => writeWithUrls(line, { ...newsletter.links }));
  const text = lines.join("\n");
  return { text, textVersion: createHash("sha256").update(text).digest("hex").slice(0, 12), language: locale };
}

/** Business days within which Türkiye's register must receive a consent for it to count: https://www.iys.org.tr */
const businessDays = 3;
const timeZone = "Europe/Istanbul";
const saturday = 6;

/** Exports the consents and withdrawals that the register doesn't have yet, the most urgent first, in its format. */
export async function exportToIys(db: Database) {
  const rows = await db
    .selectFrom("consentRecord")
    .innerJoin("newsletterSubscription", "newsletterSubscription.id", "subscriptionId")
    .select(["consentRecord.id", "email", "event", "at", "exportDueAt"])
    .where("exportDueAt", "is not", null)
    .$narrowType<{ exportDueAt: Moment }>()
    .where("exportedAt", "is", null)
    .unionAll(db.selectFrom("erasedConsent").select(["id", "email", "event", "at", "exportDueAt"]))
    .orderBy("exportDueAt")
    .orderBy("at")
    .orderBy("event")
    .execute();
  return {
    entries: rows.map(({ email, event, at }) => toIysEntry(email, event, at)),
    /** Marks the entries as exported, and deletes those of erased addresses. Call it once they are written. */
    markExported: (at: Moment) =>
      inTransaction(db, async (transaction) => {
        for (const { id } of rows) {
          await transaction.updateTable("consentRecord").set({ exportedAt: at }).where("id", "=", id).execute();
          await transaction.deleteFrom("erasedConsent").where("id", "=", id).execute();
        }
      }),
  };
}

function toIysEntry(recipient: string, event: ConsentEvent, at: Moment) {
  // In Türkiye's time zone, such as `2026-11-21 18:04:05`.
  const consentDate = zoned(at).toPlainDateTime().toString({ smallestUnit: "second" }).replace("T", " ");
  // ONAY is a consent, RET its withdrawal.
  const status = event === "confirmed" ? "ONAY" : "RET";
  return { recipient, recipientType: "BIREYSEL", type: "EPOSTA", source: "HS_WEB", status, consentDate };
}

/** Returns the register's deadline for an event. Ignoring public holidays makes it earlier than necessary. */
export function registerDeadline(at: Moment): Moment {
  let time = zoned(at);
  for (let left = businessDays; left > 0; ) {
    time = time.add({ days: 1 });
    if (time.dayOfWeek < saturday) left--;
  }
  return time.epochMilliseconds;
}

function zoned(at: Moment): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
}
