import { describe, expect, it } from "vitest";
import { minute } from "../../../../../client/rules/time.ts";
import { exportToIys } from "../../../../../server/features/newsletter/embedded/consent-records.ts";
import { callerOf, lastMail, openNewsletter, recordsOf, signUp } from "../../../../support/newsletter-test.ts";

describe("the register of consents in Türkiye", () => {
  it("gets confirmed consents and their withdrawals, once", async () => {
    const bench = await openNewsletter();
    const { db, newsletter } = bench;
    await signUp(bench, "unconfirmed@shop.example", "TR");
    await newsletter.refuse(await signUp(bench, "refused@shop.example", "TR"), callerOf("TR"));
    await newsletter.unsubscribe(await signUp(bench, "left@shop.example", "TR"), callerOf("TR"));
    await newsletter.confirm(await signUp(bench, "elsewhere@shop.example", "DE"), callerOf("DE"));
    await newsletter.confirm(await signUp(bench, "stays@shop.example", "TR"), callerOf("TR"));
    const entry = { recipientType: "BIREYSEL", type: "EPOSTA", source: "HS_WEB" };
    const first = await exportToIys(db);
    expect(first.entries).toEqual([
      { ...entry, recipient: "stays@shop.example", status: "ONAY", consentDate: "2026-11-20 13:00:00" },
    ]);
    await first.markExported(bench.now());
    expect((await recordsOf(db, "stays@shop.example", "TR")).at(-1)?.exportedAt).toBe(bench.now());
    expect((await exportToIys(db)).entries).toEqual([]);

    bench.pass(minute);
    const { unsubscribeToken } = await lastMail(db, "stays@shop.example", "welcome");
    await newsletter.unsubscribe(unsubscribeToken, callerOf("TR"));
    expect((await exportToIys(db)).entries).toEqual([
      { ...entry, recipient: "stays@shop.example", status: "RET", consentDate: "2026-11-20 13:01:00" },
    ]);
  });

  it("gets entries again until they are marked as exported", async () => {
    const bench = await openNewsletter();
    await bench.newsletter.confirm(await signUp(bench, "kept@shop.example", "TR"), callerOf("TR"));
    for (let i = 0; i < 2; i++) expect((await exportToIys(bench.db)).entries).toHaveLength(1);
  });

  it.each([
    ["Monday", "2026-11-23T10:00:00Z", "2026-11-26T10:00:00Z"],
    ["Friday", "2026-11-20T10:00:00Z", "2026-11-25T10:00:00Z"],
    ["Sunday", "2026-11-22T10:00:00Z", "2026-11-25T10:00:00Z"],
    ["late on Friday, which is Saturday there", "2026-11-20T22:00:00Z", "2026-11-24T22:00:00Z"],
  ])("must receive a consent within three business days of %s", async (_day, at, due) => {
    const bench = await openNewsletter();
    const token = await signUp(bench, "due@shop.example", "TR");
    bench.pass(Date.parse(at) - bench.now());
    await bench.newsletter.confirm(token, callerOf("TR"));
    expect((await recordsOf(bench.db, "due@shop.example", "TR")).at(-1)?.exportDueAt).toBe(Date.parse(due));
  });
});
