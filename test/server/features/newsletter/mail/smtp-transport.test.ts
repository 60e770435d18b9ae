import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { buffer } from "node:stream/consumers";
import PostalMime from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { describe, expect, it, onTestFinished } from "vitest";
import { createMailComposer } from "../../../../../server/features/newsletter/mail/compose-mail.tsx";
import { DeliveryError } from "../../../../../server/features/newsletter/mail/mail-transport.ts";
import { createSmtpTransport } from "../../../../../server/features/newsletter/mail/smtp-transport.ts";
import { findFreePort } from "../../../../support/find-free-port.ts";
import { queued } from "../../../../support/sample-mails.ts";
import { brand, countries, createTestApp } from "../../../../support/test-app.ts";

const { deps } = await createTestApp();
const compose = createMailComposer({ brand, countries, texts: deps.texts, mailFrom: "news@shop.example" });

interface Received {
  from: string;
  to: string[];
  message: Buffer;
}

/** A mail server on this machine, and a transport to it. */
async function startServer(options: Partial<SMTPServerOptions> = {}, credentials = "") {
  const received: Received[] = [];
  const server = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ["STARTTLS"], disableReverseLookup: true, logger: false },
    onData(stream, { envelope: { mailFrom, rcptTo } }, done) {
      void buffer(stream).then((message) => {
        received.push({ from: mailFrom ? mailFrom.address : "", to: rcptTo.map(({ address }) => address), message });
        done();
      });
    },
    ...options,
  });
  server.on("error", () => undefined);
  const listener = server.listen(0, "127.0.0.1");
  if (!listener.listening) await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;
  const transport = createSmtpTransport(`smtp://${credentials}127.0.0.1:${port}`);
  onTestFinished(async () => {
    transport.close();
    await new Promise<void>((resolve) => server.close(resolve));
  });
  return { received, transport };
}

type Refusal = [what: string, code: number, outcome: DeliveryError["outcome"], options: Partial<SMTPServerOptions>];

/** A reply that repeats the address, with the code of a missing mailbox. */
const answer = (responseCode: number) =>
  Object.assign(new Error("5.1.1 <anna@shop.example>: planted answer"), { responseCode });

describe("mail over SMTP", () => {
  it("arrives as it was composed, for its recipient alone", async () => {
    const { received, transport } = await startServer();
    const mail = await compose(queued({ site: "TR" }));
    await transport.send(mail);
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({ from: "news@shop.example", to: ["anna@shop.example"] });
    expect(received[0]?.message.toString()).toBe(mail.message.toString());
    const { subject, messageId } = await PostalMime.parse(received[0]?.message ?? "");
    expect(subject).toBe("Lütfen e-bülten kaydınızı onaylayın");
    expect(messageId).toBe(`<${mail.id}@tr.localhost>`);
  });

  it("is sent concurrently over a few connections that are reused", async () => {
    let connections = 0;
    const { received, transport } = await startServer({
      onConnect(_session, done) {
        connections += 1;
        done();
      },
    });
    const mails = await Promise.all(Array.from({ length: 12 }, () => compose(queued())));
    await Promise.all(mails.map((mail) => transport.send(mail)));
    expect(received).toHaveLength(12);
    expect(connections).toBeLessThanOrEqual(5);
  });

  it.each(["jürgen@bücher.example", "anna@bücher.example"])("reaches addresses beyond ASCII: %s", async (recipient) => {
    const { received, transport } = await startServer();
    await transport.send(await compose(queued({ recipient })));
    expect(received).toMatchObject([{ to: [recipient] }]);
  });

  it.each([
    ["the recipient", 550, "bounced", { onRcptTo: (_address, _session, done) => done(answer(550)) }],
    ["the recipient", 451, "postponed", { onRcptTo: (_address, _session, done) => done(answer(451)) }],
    ["the sender", 553, "postponed", { onMailFrom: (_address, _session, done) => done(answer(553)) }],
    ...([554, 452] as const).map((code): Refusal => {
      const refuse = () => answer(code);
      const onData: SMTPServerOptions["onData"] = (stream, _session, done) =>
        void buffer(stream).then(() => done(refuse()));
      return ["the message", code, code === 554 ? "failed" : "postponed", { onData }];
    }),
    ["the connection", 554, "postponed", { onConnect: (_session, done) => done(answer(554)) }],
  ] satisfies Refusal[])(
    "reports a refusal without an address: %s with %i, %s",
    async (_what, code, outcome, options) => {
      const { transport } = await startServer(options);
      const sending = transport.send(await compose(queued()));
      await expect(sending).rejects.toBeInstanceOf(DeliveryError);
      await expect(sending).rejects.toMatchObject({
        outcome,
        message: expect.stringMatching(new RegExp(`^SMTP E[A-Z]+ (?!.*(?:@|planted)).*\\b${code}$`)),
      });
    },
  );

  it.each([
    ["5.1.10 planted", "bounced"],
    ["5.2.1 planted", "bounced"],
    ["5.1.8 planted: about the sender", "failed"],
    ["5.2.2 planted: full", "failed"],
    ["5.7.1 planted: policy", "failed"],
    ["planted, and no code", "failed"],
  ])("distinguishes a missing mailbox from other refusals: 550 %s", async (words, outcome) => {
    const { transport } = await startServer({
      onRcptTo: (_address, _session, done) => done(Object.assign(new Error(words), { responseCode: 550 })),
    });
    await expect(transport.send(await compose(queued()))).rejects.toMatchObject({ outcome });
  });

  it("is postponed when nobody answers, or the connection breaks off", async () => {
    const nobody = createSmtpTransport(`smtp://127.0.0.1:${await findFreePort()}`);
    onTestFinished(() => nobody.close());
    await expect(nobody.send(await compose(queued()))).rejects.toMatchObject({ outcome: "postponed" });

    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.end();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const broken = createSmtpTransport(`smtp://127.0.0.1:${(server.address() as AddressInfo).port}`);
    onTestFinished(() => broken.close());
    await expect(broken.send(await compose(queued()))).rejects.toMatchObject({ outcome: "postponed" });
    expect(connections, "the outbox retries, not the pool").toBe(1);
  });

  it("never sends a password over a connection that isn't encrypted", async () => {
    const passwords: unknown[] = [];
    const onAuth: SMTPServerOptions["onAuth"] = ({ password }, _session, done) => {
      passwords.push(password);
      done(null, { user: "shop" });
    };
    const { received, transport } = await startServer({ allowInsecureAuth: true, onAuth }, "shop:secret@");
    await expect(transport.send(await compose(queued()))).rejects.toMatchObject({
      outcome: "postponed",
      message: expect.not.stringContaining("secret"),
    });
    expect([passwords, received]).toEqual([[], []]);
  });
});
