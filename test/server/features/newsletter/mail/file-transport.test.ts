import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createFileTransport } from "../../../../../server/features/newsletter/mail/file-transport.ts";

const mail = (id: string, createdAt: number) => ({
  ...{ id, createdAt, message: Buffer.from(`Message-ID: <${id}@shop.example>\r\n\r\n`) },
  envelope: { from: "news@shop.example", to: "anna@shop.example" },
});

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "outbox-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

describe("mail in files", () => {
  it("is one file per mail, sorted by time, whose name holds no address and which only its user can read", async () => {
    const folder = join(await temporaryFolder(), "data", "outbox");
    const { send } = createFileTransport(folder);
    await send(mail("b", Date.UTC(2026, 10, 21, 9)));
    await send(mail("a", Date.UTC(2026, 10, 21, 10)));
    expect((await readdir(folder)).toSorted()).toEqual([
      "2026-11-21T09-00-00.000Z-b.eml",
      "2026-11-21T10-00-00.000Z-a.eml",
    ]);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, "2026-11-21T09-00-00.000Z-b.eml"))).mode & 0o777).toBe(0o600);
  });

  it("is one file after several attempts, also interrupted ones, and can be read again", async () => {
    const folder = await temporaryFolder();
    const { find, send } = createFileTransport(folder);
    const sent = mail("b", Date.UTC(2026, 10, 21, 9));
    expect(await find?.(sent)).toBeUndefined();
    await writeFile(join(folder, "2026-11-21T09-00-00.000Z-b.tmp"), "Message-ID: <b@sh");
    for (let i = 0; i < 3; i += 1) await send(sent);
    expect(await readdir(folder)).toEqual(["2026-11-21T09-00-00.000Z-b.eml"]);
    expect(await find?.(sent)).toEqual(sent.message);
  });

  it("is postponed when it can't be written", async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, "2026-11-21T09-00-00.000Z-b.eml"));
    const sending = createFileTransport(folder).send(mail("b", Date.UTC(2026, 10, 21, 9)));
    await expect(sending).rejects.toMatchObject({ message: "file not written: EISDIR", outcome: "postponed" });
  });
});
