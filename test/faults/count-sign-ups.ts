import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { leaseTime } from "../../server/shop/mail/deliver-mails.ts";

/** Longest time for the outbox to be empty, in milliseconds: leases of killed processes, and the work itself. */
const limit = leaseTime + 120_000;

/** Waits until every mail is sent. */
export async function untilMailed(dataDir: string): Promise<void> {
  const end = performance.now() + limit;
  while (query(dataDir, "select id from mail_outbox where state = 'queued' limit 1").length > 0) {
    if (performance.now() > end) throw new Error(`mails are queued after ${limit / 1000} s`);
    await pause(1_000);
  }
}

/**
 * Compares what was acknowledged with what is there.
 * @returns addresses that are stored or mailed not at all, and those that are more than once
 */
export async function countSignUps(dataDir: string, acknowledged: ReadonlySet<string>) {
  const stored = query(dataDir, "select email from newsletter_subscription");
  const outbox = join(dataDir, "outbox");
  const files = (await readdir(outbox)).filter((name) => name.endsWith(".eml"));
  const mailed = await Promise.all(files.map((name) => recipientOf(join(outbox, name))));
  const places = [stored, mailed].map((emails) => Map.groupBy(emails, (email) => email));
  const counts = (email: string) => places.map((place) => place.get(email)?.length ?? 0);
  return {
    lost: [...acknowledged].filter((email) => counts(email).includes(0)),
    doubled: [...new Set([...stored, ...mailed])].filter((email) => counts(email).some((count) => count > 1)),
  };
}

async function recipientOf(file: string): Promise<string> {
  const [, recipient = ""] = /^To: (.+)$/m.exec(await readFile(file, "utf8")) ?? [];
  return recipient.trim();
}

/** @returns the first column */
function query(dataDir: string, sql: string): string[] {
  const database = new DatabaseSync(join(dataDir, "storefront.sqlite"), { readOnly: true, timeout: 5_000 });
  try {
    return database
      .prepare(sql)
      .all()
      .map((row) => String(Object.values(row)[0]));
  } finally {
    database.close();
  }
}
