import type { Moment } from "../../../client/rules/time.ts";
import { inTransaction } from "../store/in-transaction.ts";
import type { Database } from "../store/open-store.ts";
import { type IysEntry, toIysEntry } from "./iys.ts";

export interface IysExport {
  entries: IysEntry[];
  /** Marks the entries as exported, and removes those of erased addresses. To be called once they are written. */
  markExported(at: Moment): Promise<void>;
}

/** Exports what the register hasn't been told yet, the most urgent first. */
export async function exportToIys(db: Database): Promise<IysExport> {
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
    markExported: (at) =>
      inTransaction(db, async (transaction) => {
        for (const { id } of rows) {
          await transaction
            .updateTable("consentRecord")
            .set({ exportedAt: at })
            .where("id", "=", id)
            .where("exportedAt", "is", null)
            .execute();
          await transaction.deleteFrom("erasedConsent").where("id", "=", id).execute();
        }
      }),
  };
}
