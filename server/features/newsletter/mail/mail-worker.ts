import { hour, type Milliseconds, type Moment, minute } from "../../../../client/rules/time.ts";
import { createHealthLog } from "../../../platform/health-log.ts";
import { type Pauses, pauseAfter } from "../../../store/pauses.ts";
import { createQueueWorker, type QueueWorker, type WorkerContext } from "../../../store/queue-worker.ts";
import type { ComposeMail } from "./compose-mail.tsx";
import { concurrentMails, DeliveryError, type MailTransport, mailTimeout } from "./mail-transport.ts";
import type { LeasedMail, Outbox } from "./outbox.ts";

interface MailWorkerOptions extends WorkerContext {
  outbox: Outbox;
  compose: ComposeMail;
  transport: MailTransport;
  /** Records that an address has no mailbox. */
  recordBounce(address: string, at: Moment): Promise<void>;
}

/** How long a worker owns the emails that it has leased. */
const leaseTime: Milliseconds = 2 * mailTimeout;
/**
 * An email has failed after this many attempts over this time. The clock alone, or a service that was off, fails none.
 */
const retriedFor: Milliseconds = 24 * hour;
const fewestAttempts = 10;
const mailPauses: Pauses = { first: minute, longest: 2 * hour };

/**
 * Creates the job that sends emails. Delivery is at least once: if the process or the store fails after the server has
 * accepted an email and before that is recorded, the email is sent again when its lease ends. It has the same
 * Message-ID, by which servers and mail programs recognize the copy. A process that shuts down waits for the server's
 * answer.
 */
export function createMailWorker(options: MailWorkerOptions): QueueWorker {
  const { outbox, compose, transport, recordBounce, logger, metrics, clock } = options;
  const health = createHealthLog(logger, {
    down: "mail delivery failed, will retry",
    up: "mail delivery recovered",
  });
  return createQueueWorker({
    ...options,
    name: "mail",
    queue: outbox,
    pauses: mailPauses,
    work: sendDueMails,
    closeTransport: () => transport.close(),
    failure: "reading or updating the mail outbox failed",
  });

  /**
   * @returns whether more emails may be due
   */
  async function sendDueMails(): Promise<boolean> {
    const at = clock();
    const mails = await outbox.lease(at, at + leaseTime, concurrentMails);
    const results = await Promise.allSettled(mails.map(sendMail));
    for (const result of results) if (result.status === "rejected") throw result.reason;
    return mails.length === concurrentMails;
  }

  async function sendMail(mail: LeasedMail): Promise<void> {
    try {
      await transport.send(await compose(mail));
    } catch (error) {
      return handleFailure(mail, error);
    }
    health.up();
    metrics.mails.inc({ kind: mail.kind, outcome: "sent" });
    await outbox.end(mail, "sent", clock());
  }

  async function handleFailure(mail: LeasedMail, error: unknown): Promise<void> {
    const { id, kind, site, recipient, attempts, createdAt } = mail;
    const at = clock();
    const delivery = error instanceof DeliveryError ? error : undefined;
    const cause = delivery ? { reason: delivery.message } : { err: error };
    const fields = { mail: id, kind, site, attempts, ...cause };
    const { outcome = "postponed" } = delivery ?? {};
    const isGivenUp = at >= createdAt + retriedFor && attempts >= fewestAttempts;
    const ended = outcome === "postponed" && isGivenUp ? "failed" : outcome;
    metrics.mails.inc({ kind, outcome: ended });
    if (ended === "postponed") {
      if (delivery) health.down(cause);
      else logger.warn(fields, "composing a mail failed, will retry");
      return outbox.postpone(mail, at + pauseAfter(attempts, mailPauses));
    }
    if (ended === "bounced") {
      // A warning only, because anybody can enter an address that doesn't exist.
      logger.warn(fields, "mail bounced: no such mailbox");
      await recordBounce(recipient, at);
    } else {
      logger.error(fields, "mail delivery failed permanently");
    }
    await outbox.end(mail, ended, at);
  }
}
