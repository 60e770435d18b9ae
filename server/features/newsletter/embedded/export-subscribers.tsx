import { renderToStaticMarkup } from "react-dom/server";
import { normalizeEmail } from "../../../../client/rules/email.ts";
import type { Moment } from "../../../../client/rules/time.ts";
import type { SecretKeys } from "../../../platform/secret-keys.ts";
import { toIso, toIsoOrNull } from "../../../platform/time.ts";
import type { Database } from "../../../store/open-store.ts";
import type { State } from "./newsletter-tables.ts";
import { addSenderTokens, createPreferencesTokens, createSenderTokens, toSenderTokens } from "./sender-tokens.ts";
import { type Subscription as StoredSubscription, toSubscriber } from "./subscriptions.ts";

interface ExportOptions {
  /** The code of the only site to export; undefined exports all. */
  site?: string | undefined;
  /** Exports subscriptions that changed at this moment or later. */
  since?: Moment | undefined;
  statuses: readonly State[];
  /** Includes the proof of consent, vouchers and the last opening, for an import into another store. */
  proof?: boolean | undefined;
}

/** Subscriptions per query. */
const pageSize = 1000;

/**
 * Reads subscriptions page by page, ordered by id, so that one that exists throughout is read exactly once. Times are
 * ISO 8601 in UTC.
 * @param keys - if given, the tokens in newsletters are included, which are null unless the subscription is confirmed
 */
export async function* exportSubscribers(
  db: Database,
  { site, since, statuses, proof = false }: ExportOptions,
  keys: SecretKeys | undefined,
) {
  const tokensOf = keys && createTokens(keys);
  let last = "";
  for (let isMore = true; isMore; ) {
    const rows = await db
      .selectFrom("newsletterSubscription")
      .selectAll()
      .where("id", ">", last)
      .where("state", "in", statuses)
      .$if(site !== undefined, (query) => query.where("site", "=", site ?? ""))
      .$if(since !== undefined, (query) => query.where("changedAt", ">=", since ?? 0))
      .orderBy("id")
      .limit(pageSize)
      .execute();
    if (tokensOf)
      await addSenderTokens(
        db,
        rows.flatMap((row) => toSenderTokens(row.id, tokensOf(row))),
      );
    const proofOf = proof ? await exportProofs(db, rows) : undefined;
    yield rows.map((row) => ({
      ...toSubscriber(row),
      status: row.state,
      signedUpAt: toIso(row.requestedAt),
      changedAt: toIso(row.changedAt),
      sendingStoppedAt: toIsoOrNull(row.sendingStoppedAt),
      ...tokensOf?.(row),
      ...(proofOf && { lastOpenedAt: toIsoOrNull(row.lastOpenedAt), ...proofOf(row.id) }),
    }));
    last = rows.at(-1)?.id ?? last;
    isMore = rows.length === pageSize;
  }
}

interface LinkTokens {
  token: string | null;
  preferencesToken: string | null;
}

/** Creates the function that computes the tokens of a subscription's links; null unless it is confirmed. */
function createTokens(keys: SecretKeys) {
  const [tokenOf, preferencesTokenOf] = [createSenderTokens(keys), createPreferencesTokens(keys)];
  return ({ id, state, confirmedAt }: StoredSubscription): LinkTokens =>
    state === "confirmed"
      ? { token: tokenOf(id), preferencesToken: preferencesTokenOf({ id, confirmedAt: toIsoOrNull(confirmedAt) }) }
      : { token: null, preferencesToken: null };
}

/**
 * Exports all data of an address's subscriptions, one per site, for the person or for a court. Times are ISO 8601 in
 * UTC, and declarations are in their order.
 * @param site - undefined for all sites
 */
export async function exportConsent(db: Database, address: string, site?: string) {
  const subscriptions = await db
    .selectFrom("newsletterSubscription")
    .selectAll()
    .where("email", "=", normalizeEmail(address))
    .$if(site !== undefined, (query) => query.where("site", "=", site ?? ""))
    .orderBy("site")
    .execute();
  const proofOf = await exportProofs(db, subscriptions);
  return subscriptions.map(({ id, site, email, state, requestedAt, confirmedAt, sendingStoppedAt }) => ({
    site,
    email,
    state,
    signedUpAt: toIso(requestedAt),
    confirmedAt: toIsoOrNull(confirmedAt),
    sendingStoppedAt: toIsoOrNull(sendingStoppedAt),
    ...proofOf(id),
  }));
}

/**
 * Exports the vouchers and the proof of several subscriptions.
 * @returns a function from a subscription's id to its own
 */
async function exportProofs(db: Database, subscriptions: readonly { id: string }[]) {
  const ids = subscriptions.map(({ id }) => id);
  const [vouchers, records] = ids.length > 0 ? await findProofs(db, ids) : [[], []];
  const vouchersOf = Map.groupBy(vouchers, ({ subscriptionId }) => subscriptionId);
  const recordsOf = Map.groupBy(records, ({ subscriptionId }) => subscriptionId);
  return (id: string) => ({
    vouchers: (vouchersOf.get(id) ?? []).map(({ code, discount, singleUse, issuedAt, validUntil }) => ({
      code,
      discount,
      singleUse: singleUse === 1,
      issuedAt: toIso(issuedAt),
      validUntil: toIsoOrNull(validUntil),
    })),
    records: (recordsOf.get(id) ?? []).map(
      ({ subscriptionId, at, declaration, exportDueAt, exportedAt, ...record }) => ({
        ...record,
        at: toIso(at),
        declaration: JSON.parse(declaration),
        exportDueAt: toIsoOrNull(exportDueAt),
        exportedAt: toIsoOrNull(exportedAt),
      }),
    ),
  });
}

function findProofs(db: Database, subscriptionIds: readonly string[]) {
  const vouchers = db.selectFrom("voucher").selectAll().where("subscriptionId", "in", subscriptionIds);
  const records = db
    .selectFrom("consentRecord")
    .select(["subscriptionId", "event", "text", "textVersion", "language", "networkHash", "mailId"])
    .select(["at", "declaration", "exportDueAt", "exportedAt"])
    .where("subscriptionId", "in", subscriptionIds)
    .orderBy("at")
    .orderBy("id");
  return Promise.all([vouchers.execute(), records.execute()]);
}

type ConsentExport = Awaited<ReturnType<typeof exportConsent>>[number];

/** Renders the proof of consent as a printable page in English, for operators. */
export function renderConsentPage(exports: readonly ConsentExport[]): string {
  const page = (
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
  return `<!doctype html>${renderToStaticMarkup(page)}`;
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
