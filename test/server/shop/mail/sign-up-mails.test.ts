import PostalMime from "postal-mime";
import { expect, it, onTestFinished } from "vitest";
import { createMetrics } from "../../../../server/metrics.ts";
import { createMailComposer } from "../../../../server/shop/mail/compose-mail.tsx";
import { createMailWorker } from "../../../../server/shop/mail/mail-worker.ts";
import { createOutbox } from "../../../../server/shop/mail/outbox.ts";
import { openSuppression } from "../../../../server/shop/mail/suppression.ts";
import { createNewsletter } from "../../../../server/shop/newsletter/create-newsletter.ts";
import { callerOf } from "../../../support/newsletter-test.ts";
import { onePerVariant } from "../../../support/one-per-variant.ts";
import { brand, countries, createTestApp, testLogger } from "../../../support/test-app.ts";
import { openTestStore } from "../../../support/test-store.ts";

const { texts } = (await createTestApp()).deps;

const variants = onePerVariant(({ newsletter: { voucher } }) => voucher);

it.each(variants)(
  "a sign-up on $site is mailed at once, confirmed by the mail's link, and welcomed",
  async ({ site }) => {
    const { db } = await openTestStore(testLogger);
    const metrics = createMetrics();
    const suppression = await openSuppression(db);
    const mails: string[] = [];
    const worker = createMailWorker({
      outbox: createOutbox(db),
      compose: createMailComposer({ brand, countries, texts, mailFrom: "news@shop.example" }),
      transport: {
        async send({ message }) {
          mails.push((await PostalMime.parse(message)).text ?? "");
        },
        close() {},
      },
      noteBounce: async () => undefined,
      logger: testLogger,
      metrics,
      clock: Date.now,
      isDraining: () => false,
    });
    onTestFinished(() => worker.close());
    worker.start();
    const newsletter = await createNewsletter({
      db,
      countries,
      texts,
      metrics,
      suppression,
      mail: worker,
      answerAfter: 0,
    });
    const caller = callerOf(site, "192.0.2.1");
    const person = { salutation: "MRS", firstName: "Anna", lastName: "Kis" } as const;
    const request = {
      email: "anna@shop.example",
      ...person,
      consents: ["NEWSLETTER" as const],
      origin: "NEWSLETTER" as const,
    };

    expect(await newsletter.subscribe(request, caller)).toEqual({ status: "accepted" });
    await worker.idle();
    const token = /\/newsletter\/confirm\?token=(\S+)/.exec(mails[0] ?? "")?.[1] ?? "";
    expect(await newsletter.confirm(decodeURIComponent(token), caller)).toMatchObject({ status: "subscribed" });
    await worker.idle();
    expect(mails).toHaveLength(2);
    const { code } = await db.selectFrom("voucher").select("code").executeTakeFirstOrThrow();
    expect(mails[1]).toContain(code);
    const left = await db.selectFrom("mailOutbox").select(["state", "data"]).execute();
    expect(left).toEqual([1, 2].map(() => ({ state: "sent", data: "{}" })));
  },
);
