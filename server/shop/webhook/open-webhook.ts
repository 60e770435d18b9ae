import type { Job } from "../../drain.ts";
import type { NewsletterWebhook } from "../../env.ts";
import type { Parts } from "../../parts.ts";
import { openSenderTokens } from "../newsletter/sender-tokens.ts";
import { createQueueWorker } from "../queue/queue-worker.ts";
import type { Database } from "../store/open-store.ts";
import { composeEvent } from "./compose-event.ts";
import { createDelivery } from "./deliver-events.ts";
import { createEventOutbox } from "./event-outbox.ts";
import { createNewsletterEvents, type NewsletterEvents, noEvents } from "./newsletter-events.ts";
import { readWebhookSecrets } from "./read-webhook-secrets.ts";
import { createWebhook } from "./webhook.ts";

interface OpenedWebhook {
  events: NewsletterEvents;
  /** The job that sends them; none where nobody is to be told. */
  jobs: Job[];
}

/**
 * Opens what tells the newsletter's receiver of its events.
 * @throws StartError when the secret can't be read
 */
export async function openWebhook(
  db: Database,
  settings: NewsletterWebhook | undefined,
  { logger, metrics, readiness }: Pick<Parts, "logger" | "metrics" | "readiness">,
): Promise<OpenedWebhook> {
  if (!settings) return { events: noEvents, jobs: [] };
  const webhook = createWebhook({ url: settings.url, secrets: readWebhookSecrets(settings) });
  const tokens = await openSenderTokens(db);
  const outbox = createEventOutbox(db);
  const compose = (event: Parameters<typeof composeEvent>[0]) => composeEvent(event, tokens);
  const deliver = createDelivery({ outbox, webhook, compose, logger, metrics, clock: Date.now });
  const worker = createQueueWorker({
    name: "event",
    queue: outbox,
    work: deliver,
    closeTransport: () => webhook.close(),
    failure: "the service could not work on the newsletter's events",
    logger,
    metrics,
    clock: Date.now,
    isDraining: () => readiness.state === "draining",
  });
  return { events: createNewsletterEvents(tokens, worker.wake), jobs: [worker] };
}
