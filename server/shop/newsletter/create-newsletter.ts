import type { NewsletterService } from "../../services/newsletter-service.ts";
import type { MailWorker } from "../mail/mail-worker.ts";
import { loadServiceKey } from "../store/load-service-key.ts";
import { createRateLimiter } from "../store/rate-limiter.ts";
import { change } from "./change.ts";
import { confirm } from "./confirm.ts";
import { end } from "./end.ts";
import { keepHouse } from "./housekeeping.ts";
import type { NewsletterContext } from "./newsletter-context.ts";
import { read } from "./read.ts";
import { resend } from "./resend.ts";
import { subscribe } from "./subscribe.ts";

/** The embedded newsletter service: beside what callers ask, it keeps its store to its terms. */
export interface EmbeddedNewsletter extends NewsletterService {
  /** Expires, deletes and stops what is due. Throws UnavailableError. */
  keepHouse(): Promise<void>;
}

interface NewsletterDeps
  extends Pick<NewsletterContext, "db" | "countries" | "texts">,
    Partial<Pick<NewsletterContext, "answerAfter" | "clock">> {
  mail: Pick<MailWorker, "wake">;
}

const minute = 60_000;
const budgets = [
  { name: "newsletter-minute", points: 60, duration: minute },
  { name: "newsletter-hour", points: 300, duration: 60 * minute },
];

/** Creates the embedded newsletter service, whose state is in the store alone: any number of them can share it. */
export async function createNewsletter({
  answerAfter = 40,
  clock = Date.now,
  mail,
  ...deps
}: NewsletterDeps): Promise<EmbeddedNewsletter> {
  const context: NewsletterContext = {
    ...deps,
    answerAfter,
    clock,
    limiter: createRateLimiter(deps.db, budgets),
    networkKey: await loadServiceKey(deps.db, "network-address"),
  };
  return {
    subscribe: (request, caller) => thenMail(subscribe(context, request, caller)),
    read: (token) => read(context, token),
    confirm: (token, caller) => thenMail(confirm(context, token, caller)),
    refuse: (token, caller) => end(context, "refuse", token, caller),
    change: (token, fields, caller) => change(context, token, fields, caller),
    unsubscribe: (token, caller) => end(context, "unsubscribe", token, caller),
    resend: (token, caller) => thenMail(resend(context, token, caller)),
    keepHouse: () => keepHouse(context),
  };

  /** Whether there is a mail or not: the answer takes no longer for it. */
  async function thenMail<Result>(work: Promise<Result>): Promise<Result> {
    const result = await work;
    mail.wake();
    return result;
  }
}
