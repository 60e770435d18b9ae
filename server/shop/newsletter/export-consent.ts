import { normalizeEmail } from "../../../client/rules/email.ts";
import { toIso, toIsoOrNull } from "../../format-time.ts";
import type { Database } from "../store/open-store.ts";
import type { ConsentEvent } from "./newsletter-tables.ts";
import type { State } from "./states.ts";

/** All that is known of one subscription of an address, for the person or a court. Times are ISO 8601 in UTC. */
export interface ConsentExport {
  site: string;
  email: string;
  state: State;
  signedUpAt: string;
  confirmedAt: string | null;
  sendingStoppedAt: string | null;
  vouchers: { code: string; discount: number; issuedAt: string; validUntil: string | null }[];
  /** The declarations in the order of time. */
  records: ConsentExportRecord[];
}

interface ConsentExportRecord {
  event: ConsentEvent;
  at: string;
  declaration: Record<string, unknown>;
  text: string | null;
  textVersion: string | null;
  language: string | null;
  networkHash: string | null;
  mailId: string | null;
  exportDueAt: string | null;
  exportedAt: string | null;
}

/**
 * Exports the subscriptions of an address, one per site.
 * @param site - code of the one site to export; undefined exports all
 */
export async function exportConsent(db: Database, address: string, site?: string): Promise<ConsentExport[]> {
  const subscriptions = await db
    .selectFrom("newsletterSubscription")
    .selectAll()
    .where("email", "=", normalizeEmail(address))
    .$if(site !== undefined, (query) => query.where("site", "=", site ?? ""))
    .orderBy("site")
    .execute();
  return Promise.all(
    subscriptions.map(async ({ id, site, email, state, requestedAt, confirmedAt, sendingStoppedAt }) => ({
      site,
      email,
      state,
      signedUpAt: toIso(requestedAt),
      confirmedAt: toIsoOrNull(confirmedAt),
      sendingStoppedAt: toIsoOrNull(sendingStoppedAt),
      vouchers: await exportVouchers(db, id),
      records: await exportRecords(db, id),
    })),
  );
}

async function exportVouchers(db: Database, subscriptionId: string): Promise<ConsentExport["vouchers"]> {
  const rows = await db.selectFrom("voucher").selectAll().where("subscriptionId", "=", subscriptionId).execute();
  return rows.map(({ code, discount, issuedAt, validUntil }) => ({
    code,
    discount,
    issuedAt: toIso(issuedAt),
    validUntil: toIsoOrNull(validUntil),
  }));
}

async function exportRecords(db: Database, subscriptionId: string): Promise<ConsentExportRecord[]> {
  const rows = await db
    .selectFrom("consentRecord")
    .selectAll()
    .where("subscriptionId", "=", subscriptionId)
    .orderBy("at")
    .orderBy("id")
    .execute();
  return rows.map(
    ({ id: _id, subscriptionId: _subscription, at, declaration, exportDueAt, exportedAt, ...record }) => ({
      ...record,
      at: toIso(at),
      declaration: JSON.parse(declaration),
      exportDueAt: toIsoOrNull(exportDueAt),
      exportedAt: toIsoOrNull(exportedAt),
    }),
  );
}
