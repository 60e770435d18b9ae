import { renderToStaticMarkup } from "react-dom/server";
import { normalizeEmail } from "../../../../client/rules/email.ts";
import { toIso, toIsoOrNull } from "../../../platform/time.ts";
import type { Database } from "../../../store/open-store.ts";
import type { ConsentEvent, State } from "./newsletter-tables.ts";

/** All data of one subscription, for the person or a court. Times are ISO 8601 in UTC. */
interface ConsentExport {
  site: string;
  email: string;
  state: State;
  signedUpAt: string;
  confirmedAt: string | null;
  sendingStoppedAt: string | null;
  vouchers: { code: string; discount: number; issuedAt: string; validUntil: string | null }[];
  /** The declarations, the oldest first. */
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
 * @param site - undefined stands for all sites
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

/** Renders the proof of consent as a printable page in English, for operators. */
export function renderConsentPage(exports: readonly ConsentExport[]): string {
  return `<!doctype html>${renderToStaticMarkup(<ConsentPage exports={exports} />)}`;
}

function ConsentPage({ exports }: { exports: readonly ConsentExport[] }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <title>Newsletter consent</title>
      </head>
      <body>
        <h1>Newsletter consent</h1>
        {exports.map((subscription) => (
          <Subscription key={subscription.site} {...subscription} />
        ))}
      </body>
    </html>
  );
}

function Subscription({ records, vouchers, ...subscription }: ConsentExport) {
  return (
    <section>
      <h2>
        {subscription.email} on {subscription.site}
      </h2>
      <Facts facts={subscription} />
      {vouchers.map((voucher) => (
        <section key={voucher.code}>
          <h3>Voucher</h3>
          <Facts facts={voucher} />
        </section>
      ))}
      {records.map(({ text, event, at, declaration, ...facts }) => (
        <section key={`${at} ${event}`}>
          <h3>
            {event}, {at}
          </h3>
          <Facts facts={{ ...declaration, ...facts }} />
          {text && <blockquote style={{ whiteSpace: "pre-line" }}>{text}</blockquote>}
        </section>
      ))}
    </section>
  );
}

function Facts({ facts }: { facts: object }) {
  return (
    <dl>
      {Object.entries(facts).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{Array.isArray(value) ? value.join(", ") || "none" : String(value ?? "none")}</dd>
        </div>
      ))}
    </dl>
  );
}
