import type { Moment } from "../../../client/rules/time.ts";
import type { Logger } from "../../logger.ts";
import type { Metrics } from "../../metrics.ts";
import { atOnce, type ComposedMail, DeliveryError, type MailTransport, sendTimeout } from "./mail-transport.ts";
import type { LeasedMail, Outbox, QueuedMail } from "./outbox.ts";
import { pauseAfter, triedFor } from "./retries.ts";

export interface DeliveryParts {
  outbox: Outbox;
  compose(mail: QueuedMail): Promise<ComposedMail>;
  transport: MailTransport;
  logger: Logger;
  metrics: Pick<Metrics, "mails">;
  clock(): Moment;
}

/** How long no other worker may take a mail that one has taken. */
export const leaseTime = 2 * sendTimeout;

/**
 * Sends some of the mails that are due. A mail goes out at least once. When the process dies, or the store fails, after
 * the server has taken a mail and before that is noted, the mail goes out again when its lease is over, under the same
 * Message-ID, by which servers and mail programs may see that they have it.
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
  const { outbox, compose, transport, metrics, clock } = parts;
  try {
    await transport.send(await compose(mail));
  } catch (error) {
    return giveBack(parts, mail, error);
  }
  metrics.mails.inc({ kind: mail.kind, outcome: "sent" });
  await outbox.end(mail, "sent", clock());
}

/** Puts off a mail that wasn't sent, or gives it up. */
async function giveBack({ outbox, logger, metrics, clock }: DeliveryParts, mail: LeasedMail, error: unknown) {
  const { id, kind, site, attempts, createdAt } = mail;
  const at = clock();
  const failed = at >= createdAt + triedFor || (error instanceof DeliveryError && error.permanent);
  const cause = error instanceof DeliveryError ? { reason: error.message } : { err: error };
  metrics.mails.inc({ kind, outcome: failed ? "failed" : "postponed" });
  logger[failed ? "error" : "warn"](
    { mail: id, kind, site, attempts, ...cause },
    failed ? "the mail worker gave a mail up" : "the mail worker put a mail off",
  );
  if (failed) await outbox.end(mail, "failed", at);
  else await outbox.postpone(mail, at + pauseAfter(attempts));
}
