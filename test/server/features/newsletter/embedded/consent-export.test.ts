import { load } from "cheerio";
import { describe, expect, it } from "vitest";
import { day, minute } from "../../../../../client/rules/time.ts";
import {
  exportConsent,
  renderConsentPage,
} from "../../../../../server/features/newsletter/embedded/export-subscribers.tsx";
import { callerOf, lastMail, mailsTo, openNewsletter, signUp, signUpOf } from "../../../../support/newsletter-test.ts";
import { onePerVariant } from "../../../../support/one-per-variant.ts";

const email = "proof@shop.example";

const variants = onePerVariant(({ newsletter: { legals, voucher } }) => [legals, voucher]);

describe.each(variants)("the proof of consent on $site", ({ site, locale, newsletter }) => {
  it("is complete: the declaration, its text, both times, the network and the mail", async () => {
    const bench = await openNewsletter();
    const signedUpAt = new Date(bench.now()).toISOString();
    const caller = callerOf(site);
    expect(await bench.newsletter.subscribe(signUpOf(email), caller)).toEqual({ status: "accepted" });
    const { subscriberToken } = await lastMail(bench.db, email, "confirm");
    bench.pass(minute);
    const confirmedAt = new Date(bench.now()).toISOString();
    await bench.newsletter.confirm(subscriberToken, caller);
    const [mail] = await mailsTo(bench.db, email);

    const [exported, ...others] = await exportConsent(bench.db, email, site);
    expect(others).toEqual([]);
    expect(exported).toMatchObject({ site, email, state: "confirmed", signedUpAt, confirmedAt });
    expect(exported?.vouchers).toEqual([
      expect.objectContaining({ discount: newsletter.voucher.discount, issuedAt: confirmedAt }),
    ]);
    expect(exported?.records).toEqual([
      {
        ...{ event: "requested", at: signedUpAt, language: locale, mailId: mail?.id },
        declaration: { site, ...signUpOf(email), categories: [] },
        text: expect.stringMatching(/\S.{200}/s),
        textVersion: expect.stringMatching(/^[0-9a-f]{12}$/),
        networkHash: expect.stringMatching(/^[\w-]{43}$/),
        ...{ exportDueAt: null, exportedAt: null },
      },
      expect.objectContaining({ event: "confirmed", at: confirmedAt, mailId: mail?.id }),
    ]);
    expect(exported?.records[0]?.text).not.toMatch(/\{\{|\]\(|undefined/);
    expect(exported?.records[0]?.text).toContain(String(newsletter.minimumAge));
    expect(JSON.stringify(exported)).not.toContain(caller.address);

    const page = load(renderConsentPage(exported ? [exported] : []));
    for (const proof of [email, signedUpAt, confirmedAt, mail?.id ?? "no mail"]) expect(page.text()).toContain(proof);
    expect(page("blockquote").text()).toBe(exported?.records[0]?.text);
  });
});

describe("the export", () => {
  it("has the subscriptions of every site or of one, in any spelling, and nothing for an unknown address", async () => {
    const bench = await openNewsletter();
    await signUp(bench, email, "DE");
    bench.pass(day);
    await signUp(bench, email, "PL");
    const sitesOf = async (site?: string) => (await exportConsent(bench.db, email, site)).map((one) => one.site);
    expect(await sitesOf()).toEqual(["DE", "PL"]);
    expect(await sitesOf("PL")).toEqual(["PL"]);
    expect(await exportConsent(bench.db, " proof@SHOP.example")).toHaveLength(2);
    expect(await exportConsent(bench.db, "nobody@shop.example")).toEqual([]);
  });

  it("has the same hash for the same network only", async () => {
    const { db, newsletter } = await openNewsletter();
    const hashes = [];
    for (const [i, address] of ["192.0.2.1", "192.0.2.1", "192.0.2.2"].entries()) {
      await newsletter.subscribe(signUpOf(`${i}@shop.example`), callerOf("DE", address));
      hashes.push((await exportConsent(db, `${i}@shop.example`))[0]?.records[0]?.networkHash);
    }
    expect(hashes[0]).toBe(hashes[1]);
    expect(hashes[0]).not.toBe(hashes[2]);
  });
});
