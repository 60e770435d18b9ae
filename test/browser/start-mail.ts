import PostalMime from "postal-mime";
import type { Brand } from "../../server/brand/brand.ts";
import { createMailComposer } from "../../server/features/newsletter/mail/compose-mail.tsx";
import type { MailTransport } from "../../server/features/newsletter/mail/mail-transport.ts";
import { createMailWorker } from "../../server/features/newsletter/mail/mail-worker.ts";
import { createOutbox } from "../../server/features/newsletter/mail/outbox.ts";
import { createMetrics } from "../../server/platform/metrics.ts";
import type { CountryRegistry } from "../../server/sites/countries.ts";
import type { Store } from "../../server/store/open-store.ts";
import type { QueueWorker } from "../../server/store/queue-worker.ts";
import { testLogger, texts } from "../support/test-app.ts";

export interface TestMail {
  worker: QueueWorker;
  /** Keeps the mails that were sent. */
  transport: MailTransport;
  /** Returns the texts of the emails that an address has got so far, in order. */
  mailsTo(address: string): Promise<string[]>;
}

/** Sends the mails of a store as the service does, to the memory of the test. */
export function startMail(store: Store, countries: CountryRegistry, brand: Brand): TestMail {
  const mails: { to: string; text: string }[] = [];
  const messages = new Map<string, Buffer>();
  const transport: MailTransport = {
    async send({ id, envelope, message }) {
      messages.set(id, message);
      mails.push({ to: envelope.to, text: (await PostalMime.parse(message)).text ?? "" });
    },
    find: async ({ id }) => messages.get(id),
    close() {},
  };
  const worker = createMailWorker({
    outbox: createOutbox(store.db),
    compose: createMailComposer({ brand, countries, texts, mailFrom: "news@shop.example" }),
    transport,
    recordBounce: async () => undefined,
    logger: testLogger,
    metrics: createMetrics(),
    clock: Date.now,
    isDraining: () => false,
  });
  worker.start();
  return {
    worker,
    transport,
    async mailsTo(address) {
      worker.wake();
      await worker.idle();
      return mails.filter(({ to }) => to === address).map(({ text }) => text);
    },
  };
}
