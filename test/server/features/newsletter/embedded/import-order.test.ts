import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { day, hour, minute } from "../../../../../client/rules/time.ts";
import type { NewsletterEventReport } from "../../../../../schemas/types.ts";
import { importSubscribers } from "../../../../../server/features/newsletter/embedded/import-subscribers.ts";
import { mailboxOf } from "../../../../../server/features/newsletter/mail/mailboxes.ts";
import { openMemoryStore, triedOrders } from "../../../../support/memory-store.ts";
import { callerOf, lastMail, openNewsletter, signUpOf } from "../../../../support/newsletter-test.ts";
import { sites } from "../../../../support/test-app.ts";
import { testKeys } from "../../../../support/test-store.ts";

/** Addresses of one mailbox. Two of them differ only in capitals. */
const spellings = ["Ada", "ada", "ada+shop"] as const;

interface Row {
  site: string;
  email: string;
  /** When it was confirmed; undefined unless it is subscribed. */
  confirmedAt?: number | undefined;
}

/** A model of what the service must know about one mailbox. */
class Model {
  rows: Row[] = [];
  /** The latest withdrawal or refusal on each site. */
  ended: Record<string, number> = {};
  suppressed: Record<string, { reason: "wish" | "refusal" | "bounce"; until: number }> = {};
  /** The last confirmation link of each row. */
  links = new Map<Row, string>();
  domain: string;

  constructor(domain: string) {
    this.domain = domain;
  }

  rowOf(site: string, email: string) {
    return this.rows.find((row) => row.site === site && row.email === email);
  }

  add(site: string, email: string): Row {
    const row = this.rowOf(site, email) ?? { site, email };
    if (!this.rows.includes(row)) this.rows.push(row);
    return row;
  }

  /** The rows of an address in any capitals, the same spelling first. */
  ownRows(site: string, email: string) {
    const rows = this.rows.filter((row) => row.site === site && row.email.toLowerCase() === email.toLowerCase());
    return rows.toSorted((one, other) => Number(other.email === email) - Number(one.email === email));
  }

  end(row: Row, at: number) {
    row.confirmedAt = undefined;
    this.note(row.site, at);
  }

  note(site: string, at: number) {
    this.ended[site] = Math.max(this.ended[site] ?? 0, at);
  }

  suppress(text: string, reason: "wish" | "refusal" | "bounce", until: number) {
    const known = this.suppressed[text]?.reason;
    if (known === "wish" || (reason === "bounce" && known === "refusal")) return;
    this.suppressed[text] = { reason, until };
  }

  isSuppressed(email: string, at: number) {
    return [mailboxOf(email), email.toLowerCase()].some((text) => (this.suppressed[text]?.until ?? 0) > at);
  }
}

it(`of each mailbox on a site the latest word counts, in any order and spelling (${triedOrders} orders)`, async () => {
  const { newsletter, db, context, pass, now } = await openNewsletter(await openMemoryStore());
  const importLine = (line: Parameters<typeof importSubscribers>[1][number]) =>
    importSubscribers(db, [line], { keys: testKeys, sites: sites.map(({ site }) => site), hasReceiver: false }, now());

  const report = (type: NewsletterEventReport["type"], data: NewsletterEventReport["data"]) =>
    newsletter.report(randomUUID(), { type, timestamp: new Date(now()).toISOString(), data });

  type Action = (model: Model, site: string, email: string, ago: number) => Promise<void>;
  const signUp: Action = async (model, site, email) => {
    await newsletter.subscribe(signUpOf(email), callerOf(site));
    if (model.isSuppressed(email, now())) return;
    const row = model.add(site, email);
    if (row.confirmedAt === undefined) model.links.set(row, (await lastMail(db, email, "confirm")).subscriberToken);
  };
  const actions: Record<string, Action> = {
    signUp,
    async confirm(model, site, email) {
      await signUp(model, site, email, 0);
      const row = model.rowOf(site, email);
      const { status } = await newsletter.confirm((row && model.links.get(row)) ?? "", callerOf(site));
      if (row && status === "subscribed") row.confirmedAt ??= now();
    },
    async unsubscribe(model, site, email) {
      const row = model.rowOf(site, email) ?? model.rows.find((other) => other.site === site);
      const link = row && model.links.get(row);
      if (!row || !link) return;
      expect(await newsletter.unsubscribe(link, callerOf(site))).toEqual({ status: "ended" });
      model.end(row, now());
    },
    async refuse(model, site, email) {
      const row = model.rowOf(site, email) ?? model.rows.find((other) => other.site === site);
      const link = row && model.links.get(row);
      if (!row || !link) return;
      expect(await newsletter.refuse(link, callerOf(site))).toEqual({ status: "ended" });
      model.end(row, now());
      model.suppress(mailboxOf(row.email), "refusal", now() + 30 * day);
    },
    async complain(model, _site, email) {
      await report("subscription.complained", { email });
      model.suppress(mailboxOf(email), "wish", Infinity);
      for (const { site } of sites)
        for (const row of model.ownRows(site, email)) if (row.confirmedAt !== undefined) model.end(row, now());
    },
    async bounce(model, _site, email) {
      await report("subscription.bounced", { email, kind: "hard" });
      model.suppress(email.toLowerCase(), "bounce", now() + 7 * day);
      for (const { site } of sites)
        for (const row of model.ownRows(site, email)) if (row.confirmedAt !== undefined) model.end(row, now());
    },
    async unsuppress(model, _site, email) {
      await context.suppression.unsuppress(db, email);
      for (const text of [mailboxOf(email), email.toLowerCase()]) delete model.suppressed[text];
    },
    async importConsent(model, site, email, ago) {
      const confirmedAt = now() - ago;
      const [result] = await importLine({
        site,
        email,
        status: "confirmed",
        confirmedAt: new Date(confirmedAt).toISOString(),
      });
      const rows = model.ownRows(site, email);
      if (rows.some((row) => row.confirmedAt !== undefined)) return expect(result).toBe("unchanged");
      if (model.isSuppressed(email, now()) || confirmedAt <= (model.ended[site] ?? 0))
        return expect(result).toHaveProperty("refused");
      expect(result).toBe(rows.length > 0 ? "changed" : "added");
      (rows[0] ?? model.add(site, email)).confirmedAt = confirmedAt;
    },
    async importWithdrawal(model, site, email, ago) {
      const at = now() - ago;
      await importLine({ site, email, status: "withdrawn", changedAt: new Date(at).toISOString() });
      const rows = model.ownRows(site, email);
      const ended = rows.filter(({ confirmedAt }) => confirmedAt !== undefined && confirmedAt < at);
      if (rows.length === 0) model.add(site, email);
      if (ended.length > 0 || rows.every(({ confirmedAt }) => confirmedAt === undefined)) model.note(site, at);
      for (const row of ended) model.end(row, at);
    },
  };

  /** Actions that change more than the list of suppressed mailboxes. */
  const often = ["signUp", "confirm", "unsubscribe", "importConsent", "importConsent", "importWithdrawal"];
  const command = fc
    .record({
      name: fc.constantFrom(...often, ...often, ...Object.keys(actions)),
      site: fc.constantFrom(...["DE", "DE", "DE", "DE", "DE"], "AT"),
      spelling: fc.constantFrom(...spellings),
      hoursAgo: fc.integer({ min: 0, max: 20 * 24 }),
      days: fc.integer({ min: 1, max: 9 }),
    })
    .map(({ name, site, spelling, hoursAgo, days }) => ({
      check: () => true,
      toString: () => `${days} days later ${name}(${site}, ${spelling}@, ${hoursAgo} hours ago)`,
      async run(model: Model) {
        pass(days * day);
        await actions[name]?.(model, site, `${spelling}@${model.domain}`, hoursAgo * hour);
      },
    }));
  let runs = 0;
  const orders = fc.asyncProperty(fc.array(command, { minLength: 4, maxLength: 5 }), async (commands) => {
    const model = new Model(`run-${++runs}.example`);
    await fc.asyncModelRun(() => ({ model, real: undefined }), commands);
    const emails = spellings.map((spelling) => `${spelling}@${model.domain}`);
    const query = db.selectFrom("newsletterSubscription").select(["site", "email"]).where("email", "in", emails);
    const subscribed = model.rows.filter(({ confirmedAt }) => confirmedAt !== undefined);
    const textOf = (row: { site: string; email: string }) => `${row.site} ${row.email}`;
    const stored = await query.where("state", "=", "confirmed").execute();
    expect(stored.map(textOf).toSorted()).toEqual(subscribed.map(textOf).toSorted());
  });
  // On a busy machine fewer are tried.
  await fc.assert(orders, { numRuns: triedOrders, interruptAfterTimeLimit: minute });
});
