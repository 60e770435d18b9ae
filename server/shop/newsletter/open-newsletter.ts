import type { OriginalAddressOf } from "../../http/original-address.ts";
import type { Parts } from "../../parts.ts";
import type { ReportEvent } from "../../security-events.ts";
import type { NewsletterService } from "../../services/newsletter-service.ts";
import type { EmbeddedService } from "../embedded-service.ts";
import { createHousekeeping } from "../housekeeping.ts";
import { createMailComposer } from "../mail/compose-mail.tsx";
import type { MailTransport } from "../mail/mail-transport.ts";
import { createMailWorker } from "../mail/mail-worker.ts";
import { createOutbox } from "../mail/outbox.ts";
import { openSuppression } from "../mail/suppression.ts";
import type { Database } from "../store/open-store.ts";
import { createNewsletter } from "./create-newsletter.ts";
import { newsletterRoutes } from "./newsletter-routes.ts";

interface NewsletterMail {
  /** Address of the sender, alone or with a name. */
  from: string;
  transport: MailTransport;
}

/** Opens the embedded newsletter service, and the job that sends its mails. */
export async function openNewsletter(
  db: Database,
  { from, transport }: NewsletterMail,
  originalAddressOf: OriginalAddressOf,
  { countries, logger, metrics, readiness, siteOf, texts }: Parts,
  report: ReportEvent,
): Promise<EmbeddedService & { service: NewsletterService }> {
  const suppression = await openSuppression(db);
  const mail = createMailWorker({
    outbox: createOutbox(db),
    compose: createMailComposer({ countries, texts, mailFrom: from }),
    transport,
    noteBounce: (address, at) => suppression.noteBounce(db, address, at),
    logger,
    metrics,
    clock: Date.now,
    isDraining: () => readiness.state === "draining",
  });
  const newsletter = await createNewsletter({ db, countries, texts, metrics, suppression, mail, report });
  return {
    service: newsletter,
    routes: [newsletterRoutes({ newsletter, originalAddressOf, siteOf, texts })],
    jobs: [mail, createHousekeeping(newsletter.keepHouse, db, { logger, metrics })],
  };
}
