import type { NewsletterWebhook } from "../../env.ts";
import type { OriginalAddressOf } from "../../http/original-address.ts";
import type { Parts } from "../../parts.ts";
import type { ReportEvent } from "../../security-events.ts";
import type { MailReader } from "../../services/mail-reader.ts";
import type { NewsletterService } from "../../services/newsletter-service.ts";
import type { EmbeddedService } from "../embedded-service.ts";
import { createHousekeeping } from "../housekeeping.ts";
import { createMailComposer } from "../mail/compose-mail.tsx";
import { createMailReader } from "../mail/create-mail-reader.ts";
import type { MailTransport } from "../mail/mail-transport.ts";
import { createMailWorker } from "../mail/mail-worker.ts";
import { createOutbox } from "../mail/outbox.ts";
import { openSuppression } from "../mail/suppression.ts";
import type { Database } from "../store/open-store.ts";
import { openWebhook } from "../webhook/open-webhook.ts";
import { createNewsletter } from "./create-newsletter.ts";
import { newsletterRoutes } from "./newsletter-routes.ts";

interface SendingSettings {
  /** Address of the sender, alone or with a name. */
  from: string;
  transport: MailTransport;
  /** Where the newsletter's events go; undefined where nobody is told. */
  webhook: NewsletterWebhook | undefined;
}

interface OpenedNewsletter extends EmbeddedService {
  service: NewsletterService;
  /** The newsletter's mails; undefined where the transport keeps none. */
  mails: MailReader | undefined;
}

/** Opens the embedded newsletter service, and the jobs that send its mails and events. */
export async function openNewsletter(
  db: Database,
  { from, transport, webhook: settings }: SendingSettings,
  originalAddressOf: OriginalAddressOf,
  parts: Parts,
  report: ReportEvent,
): Promise<OpenedNewsletter> {
  const { brand, countries, logger, metrics, readiness, siteOf, texts } = parts;
  const suppression = await openSuppression(db);
  const compose = createMailComposer({ brand, countries, texts, mailFrom: from });
  const mail = createMailWorker({
    outbox: createOutbox(db),
    compose,
    transport,
    noteBounce: (address, at) => suppression.noteBounce(db, address, at),
    logger,
    metrics,
    clock: Date.now,
    isDraining: () => readiness.state === "draining",
  });
  const { events, jobs } = await openWebhook(db, settings, parts);
  const newsletter = await createNewsletter({ db, countries, texts, metrics, suppression, mail, events, report });
  return {
    service: newsletter,
    mails: transport.kept && createMailReader({ db, compose, kept: transport.kept }),
    routes: [newsletterRoutes({ newsletter, originalAddressOf, siteOf, texts })],
    jobs: [mail, ...jobs, createHousekeeping(newsletter.keepHouse, db, { logger, metrics })],
  };
}
