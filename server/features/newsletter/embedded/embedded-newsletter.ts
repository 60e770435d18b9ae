import type { NewsletterChange, NewsletterEventReport } from "../../../../schemas/types.ts";
import type { QueueWorker } from "../../../store/queue-worker.ts";
import type { NewsletterCaller, NewsletterService } from "../service.ts";
import { confirmSubscription, resendConfirmation } from "./confirm.ts";
import { cleanUpNewsletter } from "./housekeeping.ts";
import type { NewsletterContext } from "./newsletter-context.ts";
import { requestPreferences } from "./request-preferences.ts";
import { recordOpening, storeReport } from "./sender-reports.ts";
import { createSignUp } from "./sign-up.ts";
import { changeSubscription, endSubscription } from "./subscriber-actions.ts";
import { readPreferences, readSubscription } from "./subscriptions.ts";

/** The embedded service also answers calls of other programs. With a real service, these call it directly. */
export type EmbeddedNewsletter = ReturnType<typeof createEmbeddedNewsletter>;

type Worker = Pick<QueueWorker, "wake">;

/**
 * Creates the embedded newsletter service. All its state is in the database, so any number of replicas can share it.
 * Wakes workers even if there is nothing to send, so that every answer takes equally long.
 * @param events - undefined without a webhook
 */
export function createEmbeddedNewsletter(context: NewsletterContext, mails: Worker, events?: Worker) {
  const signUp = createSignUp(context);
  return {
    subscribe: (request, caller) => signUp(request, caller).finally(mails.wake),
    resend: (token, caller) => resendConfirmation(context, token, caller).finally(mails.wake),
    confirm: (token, caller) => confirmSubscription(context, token, caller).finally(mails.wake).finally(events?.wake),
    refuse: (token, caller) => endSubscription(context, "refuse", token, caller).finally(events?.wake),
    unsubscribe: (token, caller) => endSubscription(context, "unsubscribe", token, caller).finally(events?.wake),
    read: (token) => readSubscription(context.db, token, context.clock()),
    change: (token: string, fields: NewsletterChange, caller: NewsletterCaller) =>
      changeSubscription(context, token, fields, caller).finally(events?.wake),
    preferences: {
      read: (token) => readPreferences(context.db, token, context.clock()),
      change: (token, fields, caller) =>
        changeSubscription(context, token, fields, caller, "preferences").finally(events?.wake),
      request: (email, caller) => requestPreferences(context, email, caller).finally(mails.wake),
    },
    recordOpening: (token: string) => recordOpening(context, token),
    report: (id: string, report: NewsletterEventReport) => storeReport(context, id, report).finally(events?.wake),
    cleanUp: () => cleanUpNewsletter(context).finally(events?.wake),
  } satisfies NewsletterService & Record<string, unknown>;
}
