import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { describe, expect, it, onTestFinished } from "vitest";
import { createFileTransport } from "../../../../../server/features/newsletter/mail/file-transport.ts";
import { DeliveryError } from "../../../../../server/features/newsletter/mail/mail-transport.ts";
import { createSmtpTransport } from "../../../../../server/features/newsletter/mail/smtp-transport.ts";
import { findFreePort } from "../../../../support/find-free-port.ts";

const mail = (id = "a", createdAt = Date.UTC(2026, 10, 21, 9), to = "anna@shop.example") => ({
  id,
  createdAt,
  envelope: { from: "news@shop.example", to },
  message: Buffer.from(`Message-ID: <${id}@shop.example>\r\nSubject: =?UTF-8?Q?E-b=C3=BClten?=\r\n\r\nHello\r\n`),
});

async function connectTo(port: number, credentials = "") {
  const transport = await createSmtpTransport(`smtp://${credentials}127.0.0.1:${port}`);
  onTestFinished(() => transport.close());
  return transport;
}

/** A mail server on this machine, and a transport to it. */
async function startServer(options: Partial<SMTPServerOptions> = {}, credentials = "") {
  const received: { from: unknown; to: string[]; message: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    logger: false,
    onData(stream, { envelope: { mailFrom, rcptTo } }, done) {
      void buffer(stream).then((message) => {
        const from = mailFrom ? mailFrom.address : "";
        received.push({ from, to: rcptTo.map(({ address }) => address), message: String(message) });
        done();
      });
    },
    ...options,
  });
  server.on("error", () => undefined);
  const listener = server.listen(0, "127.0.0.1");
  if (!listener.listening) await once(listener, "listening");
  onTestFinished(() => new Promise<void>((resolve) => server.close(resolve)));
  return { received, transport: await connectTo((listener.address() as AddressInfo).port, credentials) };
}

describe("mail over SMTP", () => {
  it.each(["anna@shop.example", "jürgen@bücher.example"])("arrives as it was composed, for %s alone", async (to) => {
    const { received, transport } = await startServer();
    const sent = mail("a", 0, to);
    await transport.send(sent);
    expect(received).toEqual([{ from: "news@shop.example", to: [to], message: String(sent.message) }]);
  });

  it("is sent concurrently over a few connections that are reused", async () => {
    let connections = 0;
    const { received, transport } = await startServer({
      onConnect(_session, done) {
        connections += 1;
        done();
      },
    });
    await Promise.all(Array.from({ length: 12 }, () => transport.send(mail())));
    expect(received).toHaveLength(12);
    expect(connections).toBeLessThanOrEqual(5);
  });

  /** The steps at which a server can refuse an email, by the refused part. */
  const refusals: Record<string, (error: Error) => Partial<SMTPServerOptions>> = {
    connection: (error) => ({ onConnect: (_session, done) => done(error) }),
    sender: (error) => ({ onMailFrom: (_address, _session, done) => done(error) }),
    recipient: (error) => ({ onRcptTo: (_address, _session, done) => done(error) }),
    message: (error) => ({ onData: (stream, _session, done) => void buffer(stream).then(() => done(error)) }),
  };

  it.each([
    ["connection", 554, "5.1.1", "postponed"],
    ["sender", 553, "5.1.1", "postponed"],
    ["recipient", 451, "5.1.1", "postponed"],
    ["recipient", 550, "5.1.1", "bounced"],
    ["recipient", 550, "5.1.10", "bounced"],
    ["recipient", 550, "5.2.1", "bounced"],
    ["recipient", 550, "5.1.8", "failed"],
    ["recipient", 550, "5.2.2", "failed"],
    ["recipient", 550, "5.7.1", "failed"],
    ["recipient", 550, "", "failed"],
    ["message", 554, "5.1.1", "failed"],
    ["message", 452, "5.1.1", "postponed"],
  ])(
    "reports a refusal of the %s with %i %s as %4$s, without an address",
    async (refused, responseCode, code, outcome) => {
      const words = `${code} <anna@shop.example>: planted answer`.trim();
      const { transport } = await startServer(refusals[refused]?.(Object.assign(new Error(words), { responseCode })));
      const error: unknown = await transport.send(mail()).catch((reason) => reason);
      expect(error).toBeInstanceOf(DeliveryError);
      const message = expect.stringMatching(new RegExp(`^SMTP E[A-Z]+ (?!.*(?:@|planted)).*\\b${responseCode}$`));
      expect(error).toMatchObject({ outcome, message });
    },
  );

  it("is postponed when nobody answers, or the connection breaks off", async () => {
    const nobody = await connectTo(await findFreePort());
    await expect(nobody.send(mail())).rejects.toMatchObject({ outcome: "postponed" });

    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.end();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const broken = await connectTo((server.address() as AddressInfo).port);
    await expect(broken.send(mail())).rejects.toMatchObject({ outcome: "postponed" });
    expect(connections, "the outbox retries, not the pool").toBe(1);
  });

  it("never sends a password over a connection that isn't encrypted", async () => {
    const passwords: unknown[] = [];
    const onAuth: SMTPServerOptions["onAuth"] = ({ password }, _session, done) => {
      passwords.push(password);
      done(null, { user: "shop" });
    };
    const { received, transport } = await startServer({ allowInsecureAuth: true, onAuth }, "shop:secret@");
    const message = expect.not.stringContaining("secret");
    await expect(transport.send(mail())).rejects.toMatchObject({ outcome: "postponed", message });
    expect([passwords, received]).toEqual([[], []]);
  });
});

describe("mail in files", () => {
  const file = "2026-11-21T09-00-00.000Z-a.eml";

  async function temporaryFolder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), "outbox-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    return folder;
  }

  it("is one file per mail, sorted by time, whose name holds no address and which only its user can read", async () => {
    const folder = join(await temporaryFolder(), "data", "outbox");
    const { send } = createFileTransport(folder);
    await send(mail());
    await send(mail("0", Date.UTC(2026, 10, 21, 10)));
    expect((await readdir(folder)).toSorted()).toEqual([file, "2026-11-21T10-00-00.000Z-0.eml"]);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
  });

  it("is one file after several attempts, also interrupted ones, and can be read again", async () => {
    const folder = await temporaryFolder();
    const { find, send } = createFileTransport(folder);
    expect(await find?.(mail())).toBeUndefined();
    await writeFile(join(folder, file.replace("eml", "tmp")), "Message-ID: <a@sh");
    for (let i = 0; i < 3; i += 1) await send(mail());
    expect(await readdir(folder)).toEqual([file]);
    expect(await find?.(mail())).toEqual(mail().message);
  });

  it("is postponed when it can't be written", async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, file));
    const sending = createFileTransport(folder).send(mail());
    await expect(sending).rejects.toMatchObject({ message: "file not written: EISDIR", outcome: "postponed" });
  });
});
