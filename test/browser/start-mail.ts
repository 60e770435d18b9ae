import PostalMime from "postal-mime";
import { createMetrics } from "../../server/metrics.ts";
import { createMailComposer } from "../../server/shop/mail/compose-mail.tsx";
import { createMailWorker, type MailWorker } from "../../server/shop/mail/mail-worker.ts";
import { createOutbox } from "../../server/shop/mail/outbox.ts";
import type { Store } from "../../server/shop/store/open-store.ts";
import type { CountryRegistry } from "../../server/sites/countries.ts";
import { testLogger, texts } from "../support/test-app.ts";

export interface TestMail {
  worker: MailWorker;
  /** The texts of the mails that an address has got so far, in order. */
  mailsTo(address: string): Promise<string[]>;
}

/** Sends the mails of a store as the service does, to the memory of the test. */
export function startMail(store: Store, countries: CountryRegistry): TestMail {
  const mails: { to: string; text: string }[] = [];
  const worker = createMailWorker({
    outbox: createOutbox(store.db),
    compose: createMailComposer({ countries, texts, mailFrom: "news@shop.example" }),
    transport: {
      async send({ envelope, message }) {
        mails.push({ to: envelope.to, text: (await PostalMime.parse(message)).text ?? "" });
      },
      close() {},
    },
    noteBounce: async () => undefined,
    logger: testLogger,
    metrics: createMetrics(),
    clock: Date.now,
    isDraining: () => false,
  });
  worker.start();
  return {
    worker,
    async mailsTo(address) {
      worker.wake();
      await worker.idle();
      return mails.filter(({ to }) => to === address).map(({ text }) => text);
    },
  };
}
