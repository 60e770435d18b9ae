import type { Moment } from "../../../../client/rules/time.ts";
import { inTransaction } from "../../../store/in-transaction.ts";
import type { Database } from "../../../store/open-store.ts";
import type { ConsentEvent } from "./newsletter-tables.ts";

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
    /** Marks the entries as exported, and deletes those of erased addresses. To be called once they are written. */
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
