import type { NewsletterChange } from "../../../../schemas/types.ts";
import type { Caller, NewsletterService } from "../service.ts";
import { confirmSubscription, resendConfirmation } from "./confirm.ts";
import { cleanUpNewsletter } from "./housekeeping.ts";
import type { NewsletterContext } from "./newsletter-context.ts";
import { createSignUp } from "./sign-up.ts";
import { changeSubscription, endSubscription, readSubscription, recordOpening } from "./subscriber-actions.ts";

/** The embedded service also answers the calls of programs, which go directly to a real service. */
export type EmbeddedNewsletter = ReturnType<typeof createEmbeddedNewsletter>;

/** Creates the embedded newsletter service. All its state is in the database, so any number of replicas can share it. */
export function createEmbeddedNewsletter(context: NewsletterContext, mailWorker: { wake(): void }) {
  const signUp = createSignUp(context);
  return {
    subscribe: (request, caller) => wakeMail(signUp(request, caller)),
    resend: (token, caller) => wakeMail(resendConfirmation(context, token, caller)),
    confirm: (token, caller) => wakeEvents(wakeMail(confirmSubscription(context, token, caller))),
    refuse: (token, caller) => wakeEvents(endSubscription(context, "refuse", token, caller)),
    unsubscribe: (token, caller) => wakeEvents(endSubscription(context, "unsubscribe", token, caller)),
    read: (token) => readSubscription(context, token),
    change: (token: string, fields: NewsletterChange, caller: Caller) =>
      wakeEvents(changeSubscription(context, token, fields, caller)),
    recordOpening: (token: string) => recordOpening(context, token),
    cleanUp: () => wakeEvents(cleanUpNewsletter(context)),
  } satisfies NewsletterService & Record<string, unknown>;

  /** Wakes the worker whether or not there is a mail, so that the answer takes equally long. */
  async function wakeMail<Result>(work: Promise<Result>): Promise<Result> {
    const result = await work;
    mailWorker.wake();
    return result;
  }

  async function wakeEvents<Result>(work: Promise<Result>): Promise<Result> {
    const result = await work;
    context.events?.wake();
    return result;
  }
}
