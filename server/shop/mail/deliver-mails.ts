import { hour, type Moment, minute } from "../../../client/rules/time.ts";
import type { Logger } from "../../logger.ts";
import type { Metrics } from "../../metrics.ts";
import type { Outage } from "../../outage.ts";
import { type Pauses, pauseAfter } from "../queue/retries.ts";
import { atOnce, type ComposedMail, DeliveryError, type MailTransport, sendTimeout } from "./mail-transport.ts";
import type { LeasedMail, Outbox, QueuedMail } from "./outbox.ts";

export interface DeliveryParts {
  outbox: Outbox;
  compose(mail: QueuedMail): Promise<ComposedMail>;
  transport: MailTransport;
  /** Takes note that there is no mailbox at an address. */
  noteBounce(address: string, at: Moment): Promise<void>;
  logger: Logger;
  /** Tells of the server when it takes no mail. */
  outage: Outage;
  metrics: Pick<Metrics, "mails">;
  clock(): Moment;
}

/** How an attempt to send a mail ends, as the metrics tell it. */
export type MailOutcome = "sent" | "postponed" | "failed" | "bounced";

/** How long no other worker may take a mail that one has taken. */
export const leaseTime = 2 * sendTimeout;
/** How long a mail is tried before it is given up. */
export const triedFor = 24 * hour;
/** The pauses between two attempts. */
export const mailPauses: Pauses = { first: minute, longest: 2 * hour };

/**
 * Sends some of the mails that are due. A mail goes out at least once. When the process ends, or the store fails, after
 * the server has got a mail and before it is noted that it took it, the mail goes out again when its lease is over, under
 * the same Message-ID, by which servers and mail programs may see that they have it. A process that leaves waits for the
 * server's answer as long as it drains: test/server/main.test.ts
 * @returns how many were due; fewer than `atOnce` when no more are, unless another worker has taken some
 * @throws what the store throws
 */
export async function deliverMails(parts: DeliveryParts): Promise<number> {
  const at = parts.clock();
  const mails = await parts.outbox.lease(at, at + leaseTime, atOnce);
  const outcomes = await Promise.allSettled(mails.map((mail) => deliver(parts, mail)));
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
  return mails.length;
}

async function deliver(parts: DeliveryParts, mail: LeasedMail): Promise<void> {
  const { outbox, compose, transport, outage, metrics, clock } = parts;
  try {
    await transport.send(await compose(mail));
  } catch (error) {
    return giveBack(parts, mail, error);
  }
  outage.answered();
  metrics.mails.inc({ kind: mail.kind, outcome: "sent" });
  await outbox.end(mail, "sent", clock());
}

/** Puts off a mail that wasn't sent, or gives it up. */
async function giveBack(parts: DeliveryParts, mail: LeasedMail, error: unknown): Promise<void> {
  const { outbox, noteBounce, logger, outage, metrics, clock } = parts;
  const { id, kind, site, recipient, attempts, createdAt } = mail;
  const at = clock();
  const outcome = outcomeOf(error, at >= createdAt + triedFor);
  const cause = error instanceof DeliveryError ? { reason: error.message } : { err: error };
  metrics.mails.inc({ kind, outcome });
  if (outcome === "postponed" && error instanceof DeliveryError) outage.failed(cause);
  else logger[outcome === "failed" ? "error" : "warn"]({ mail: id, kind, site, attempts, ...cause }, messages[outcome]);
  if (outcome === "postponed") return outbox.postpone(mail, at + pauseAfter(attempts, mailPauses));
  if (outcome === "bounced") await noteBounce(recipient, at);
  await outbox.end(mail, outcome, at);
}

const messages = {
  postponed: "the mail worker could not compose a mail, and put it off",
  failed: "the mail worker gave a mail up",
  bounced: "the mail worker gave a mail up, as there is no such mailbox",
};

/** Tells what becomes of a mail that wasn't sent. Anybody can sign up addresses that there aren't: that is no failure. */
function outcomeOf(error: unknown, isTooOld: boolean): Exclude<MailOutcome, "sent"> {
  if (error instanceof DeliveryError && error.noMailbox) return "bounced";
  if (isTooOld || (error instanceof DeliveryError && error.permanent)) return "failed";
  return "postponed";
}
