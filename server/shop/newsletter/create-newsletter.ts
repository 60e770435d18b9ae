import type { Texts } from "../../i18n.ts";
import type { ReportEvent } from "../../security-events.ts";
import type { NewsletterService } from "../../services/newsletter-service.ts";
import type { QueueWorker } from "../queue/queue-worker.ts";
import { loadServiceKey } from "../store/load-service-key.ts";
import { noEvents } from "../webhook/newsletter-events.ts";
import { change } from "./change.ts";
import { confirm } from "./confirm.ts";
import { createShownText } from "./consent-text.ts";
import { end } from "./end.ts";
import { keepHouse } from "./housekeeping.ts";
import { createNetworkLimits } from "./network-limits.ts";
import type { NewsletterParts } from "./newsletter-parts.ts";
import { noteOpened } from "./note-opened.ts";
import { read } from "./read.ts";
import { resend } from "./resend.ts";
import { subscribe } from "./subscribe.ts";
import { createTakeSignUp } from "./take-sign-up.ts";

/** The embedded newsletter service, which also does the housekeeping of its tables. */
export interface EmbeddedNewsletter extends NewsletterService {
  /**
   * Expires sign-ups, deletes rows and stops newsletters that are due.
   * @throws UnavailableError when the store can't be written
   */
  keepHouse(): Promise<void>;
}

interface NewsletterDeps
  extends Pick<NewsletterParts, "db" | "countries" | "metrics" | "suppression">,
    Partial<Pick<NewsletterParts, "answerAfter" | "clock" | "events">> {
  mail: Pick<QueueWorker, "wake">;
  texts: Texts;
  report?: ReportEvent;
}

/**
 * Creates the embedded newsletter service. Its state is in the store alone, so that any number of replicas can share
 * it.
 */
export async function createNewsletter({
  answerAfter = 40,
  clock = Date.now,
  events = noEvents,
  mail,
  report,
  texts,
  ...deps
}: NewsletterDeps): Promise<EmbeddedNewsletter> {
  const parts: NewsletterParts = {
    ...deps,
    answerAfter,
    clock,
    events,
    networkLimits: createNetworkLimits(deps.db, report),
    shownText: createShownText(texts),
    networkKey: await loadServiceKey(deps.db, "network-address"),
  };
  const takeSignUp = createTakeSignUp(parts);
  return {
    subscribe: (request, caller) => thenMail(subscribe(parts, takeSignUp, { request, caller })),
    read: (token) => read(parts, token),
    confirm: (token, caller) => thenTell(thenMail(confirm(parts, token, caller))),
    refuse: (token, caller) => thenTell(end(parts, "refuse", token, caller)),
    change: (token, fields, caller) => thenTell(change(parts, token, fields, caller)),
    unsubscribe: (token, caller) => thenTell(end(parts, "unsubscribe", token, caller)),
    noteOpened: (token) => noteOpened(parts, token),
    resend: (token, caller) => thenMail(resend(parts, token, caller)),
    keepHouse: () => thenTell(keepHouse(parts)),
  };

  /** Wakes what tells the newsletter's receiver. */
  async function thenTell<Result>(work: Promise<Result>): Promise<Result> {
    const result = await work;
    events.wake();
    return result;
  }

  /** Wakes the mail worker whether or not there is a mail, so that the answer takes equally long. */
  async function thenMail<Result>(work: Promise<Result>): Promise<Result> {
    const result = await work;
    mail.wake();
    return result;
  }
}
