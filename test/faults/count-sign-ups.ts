import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { type Milliseconds, minute, second } from "../../client/rules/time.ts";
import { leaseTime } from "../../server/shop/mail/deliver-mails.ts";

/** Longest time until the outbox is empty: the leases of killed processes, and the work itself. */
const limit: Milliseconds = leaseTime + 2 * minute;

/** Waits until every mail is sent. It throws when that takes too long. */
export async function untilMailed(dataDir: string): Promise<void> {
  const end = performance.now() + limit;
  while (query(dataDir, "select id from mail_outbox where state = 'queued' limit 1").length > 0) {
    if (performance.now() > end) throw new Error(`mails are queued after ${limit / second} s`);
    await pause(second);
  }
}

/**
 * Compares what was acknowledged with what is there.
 * @returns the addresses that aren't stored or mailed at all, and those that are more than once
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

/** Gives the first column of what a query finds. */
function query(dataDir: string, sql: string): string[] {
  const database = new DatabaseSync(join(dataDir, "storefront.sqlite"), { readOnly: true, timeout: 5 * second });
  try {
    return database
      .prepare(sql)
      .all()
      .map((row) => String(Object.values(row)[0]));
  } finally {
    database.close();
  }
}
