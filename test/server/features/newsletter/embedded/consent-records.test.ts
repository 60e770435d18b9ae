import { describe, expect, it } from "vitest";
import { minute } from "../../../../../client/rules/time.ts";
import { exportToIys } from "../../../../../server/features/newsletter/embedded/consent-records.ts";
import { callerOf, lastMail, openNewsletter, recordsOf, signUp } from "../../../../support/newsletter-test.ts";

const tr = callerOf("TR");

describe("the register of consents in Türkiye", () => {
  it("gets confirmed consents and their withdrawals, until they are marked as exported", async () => {
    const bench = await openNewsletter();
    const { db, newsletter, pass, now } = bench;
    await signUp(bench, "unconfirmed@shop.example", "TR");
    await newsletter.refuse(await signUp(bench, "refused@shop.example", "TR"), tr);
    await newsletter.unsubscribe(await signUp(bench, "left@shop.example", "TR"), tr);
    await newsletter.confirm(await signUp(bench, "elsewhere@shop.example", "DE"), callerOf("DE"));
    await newsletter.confirm(await signUp(bench, "stays@shop.example", "TR"), tr);
    const entry = { recipient: "stays@shop.example", recipientType: "BIREYSEL", type: "EPOSTA", source: "HS_WEB" };
    const consent = { ...entry, status: "ONAY", consentDate: "2026-11-20 13:00:00" };
    expect((await exportToIys(db)).entries).toEqual([consent]);
    const again = await exportToIys(db);
    expect(again.entries).toEqual([consent]);
    await again.markExported(now());
    expect((await recordsOf(db, "stays@shop.example", "TR")).at(-1)?.exportedAt).toBe(now());
    expect((await exportToIys(db)).entries).toEqual([]);

    pass(minute);
    const { unsubscribeToken } = await lastMail(db, "stays@shop.example", "welcome");
    await newsletter.unsubscribe(unsubscribeToken, tr);
    expect((await exportToIys(db)).entries).toEqual([{ ...entry, status: "RET", consentDate: "2026-11-20 13:01:00" }]);
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
    await bench.newsletter.confirm(token, tr);
    expect((await recordsOf(bench.db, "due@shop.example", "TR")).at(-1)?.exportDueAt).toBe(Date.parse(due));
  });
});
