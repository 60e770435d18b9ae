import { describe, expect, it } from "vitest";
import { hour } from "../../../../client/rules/time.ts";
import { createMailComposer } from "../../../../server/shop/mail/compose-mail.tsx";
import { createMailReader } from "../../../../server/shop/mail/create-mail-reader.ts";
import { enqueuedAt, queued } from "../../../support/sample-mails.ts";
import { brand, countries, testLogger, texts } from "../../../support/test-app.ts";
import { openTestStore } from "../../../support/test-store.ts";

const compose = createMailComposer({ brand, countries, texts, mailFrom: "news@shop.example" });

const sentAt = enqueuedAt + hour;
const rows = [
  queued({ createdAt: enqueuedAt - hour, state: "failed", data: "{}" }),
  queued({ createdAt: enqueuedAt, state: "sent", data: "{}", sentAt }),
  queued({ createdAt: enqueuedAt + hour, nextAttemptAt: enqueuedAt + hour, site: "PL" }),
];
const [failed = queued(), sent = queued(), waiting = queued()] = rows;

/** A reader of the rows, to which the mail that was sent is kept. */
async function openReader() {
  const { db } = await openTestStore(testLogger);
  await db.insertInto("mailOutbox").values(rows).execute();
  const kept = (await compose({ ...sent, data: queued().data })).message;
  return createMailReader({ db, compose, kept: { find: async ({ id }) => (id === sent.id ? kept : undefined) } });
}

describe("the reader of mails", () => {
  it("lists as many as asked for, the newest first, with what each says as far as that is kept", async () => {
    const reader = await openReader();
    const message = (subject: string) => expect.objectContaining({ subject });
    expect(await reader.list(3)).toEqual([
      expect.objectContaining({
        ...{ id: waiting.id, site: "PL", state: "queued", at: waiting.nextAttemptAt },
        message: message("Prosimy o\u00a0potwierdzenie zapisu do newslettera"),
      }),
      expect.objectContaining({
        ...{ id: sent.id, site: "DE", state: "sent", at: sentAt },
        message: message("Bitte bestätigen Sie Ihre Newsletter-Anmeldung"),
      }),
      expect.objectContaining({ id: failed.id, state: "failed", message: undefined }),
    ]);
    expect((await reader.list(1)).map(({ id }) => id)).toEqual([waiting.id]);
  });

  it("finds a mail by its id, and reads its texts and headers", async () => {
    const reader = await openReader();
    const found = await reader.find(sent.id);
    expect(found?.message?.text).toContain("/newsletter/confirm?token=subscriber-token_1");
    expect(found?.message?.html).toMatch(/^<!DOCTYPE html>/);
    expect(found?.message?.headers).toContainEqual({ name: "Message-ID", value: `<${sent.id}@de.localhost>` });
    expect(await reader.find("unknown")).toBeUndefined();
  });
});
