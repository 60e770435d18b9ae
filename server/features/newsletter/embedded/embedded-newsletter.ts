import type { NewsletterChange, NewsletterEventReport } from "../../../../schemas/types.ts";
import type { Caller, NewsletterService } from "../service.ts";
import { confirmSubscription, resendConfirmation } from "./confirm.ts";
import { cleanUpNewsletter } from "./housekeeping.ts";
import type { NewsletterContext } from "./newsletter-context.ts";
import { createSignUp } from "./sign-up.ts";
import { storeReport } from "./store-report.ts";
import { changeSubscription, endSubscription, readSubscription, recordOpening } from "./subscriber-actions.ts";

/** The embedded service also answers the calls of programs, which go directly to a real service. */
export type EmbeddedNewsletter = ReturnType<typeof createEmbeddedNewsletter>;

interface Worker {
  wake(): void;
}

/**
 * Creates the embedded newsletter service. All its state is in the database, so any number of replicas can share it.
 * @param eventWorker - undefined without a webhook
 */
export function createEmbeddedNewsletter(context: NewsletterContext, mailWorker: Worker, eventWorker?: Worker) {
  const signUp = createSignUp(context);
  return {
    subscribe: (request, caller) => thenWake(signUp(request, caller), mailWorker),
    resend: (token, caller) => thenWake(resendConfirmation(context, token, caller), mailWorker),
    confirm: (token, caller) => thenWake(confirmSubscription(context, token, caller), mailWorker, eventWorker),
    refuse: (token, caller) => thenWake(endSubscription(context, "refuse", token, caller), eventWorker),
    unsubscribe: (token, caller) => thenWake(endSubscription(context, "unsubscribe", token, caller), eventWorker),
    read: (token) => readSubscription(context, token),
    change: (token: string, fields: NewsletterChange, caller: Caller) =>
      thenWake(changeSubscription(context, token, fields, caller), eventWorker),
    recordOpening: (token: string) => recordOpening(context, token),
    report: (id: string, report: NewsletterEventReport) => thenWake(storeReport(context, id, report), eventWorker),
    cleanUp: () => thenWake(cleanUpNewsletter(context), eventWorker),
  } satisfies NewsletterService & Record<string, unknown>;
}

/** Wakes workers whether or not there is something to send, so that the answer takes equally long. */
async function thenWake<Result>(work: Promise<Result>, ...workers: readonly (Worker | undefined)[]): Promise<Result> {
  const result = await work;
  for (const worker of workers) worker?.wake();
  return result;
}
