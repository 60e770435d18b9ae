import { load } from "cheerio";
import { describe, expect, it } from "vitest";
import { day, minute } from "../../../../client/rules/time.ts";
import { renderConsentPage } from "../../../../server/shop/newsletter/consent-page.tsx";
import { exportConsent } from "../../../../server/shop/newsletter/export-consent.ts";
import { callerOf, mailsTo, openNewsletter, signUp, signUpOf } from "../../../support/newsletter-test.ts";
import { onePerVariant } from "../../../support/one-per-variant.ts";

const email = "proof@shop.example";

const variants = onePerVariant(({ newsletter: { legals, voucher } }) => [legals, voucher]);

describe.each(variants)("the proof of consent on $site", ({ site, locale, newsletter }) => {
  it("is complete: the declaration, its text, both times, the network and the mail", async () => {
    const bench = await openNewsletter();
    const signedUpAt = new Date(bench.now()).toISOString();
    const token = await signUp(bench, email, site);
    bench.pass(minute);
    const confirmedAt = new Date(bench.now()).toISOString();
    await bench.newsletter.confirm(token, callerOf(site));
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
        declaration: { site, ...signUpOf(email) },
        text: expect.stringMatching(/\S.{200}/s),
        textVersion: expect.stringMatching(/^[0-9a-f]{12}$/),
        networkHash: expect.stringMatching(/^[\w-]{43}$/),
        ...{ exportDueAt: null, exportedAt: null },
      },
      expect.objectContaining({ event: "confirmed", at: confirmedAt, mailId: mail?.id }),
    ]);
    expect(exported?.records[0]?.text).not.toMatch(/\{\{|\]\(|undefined/);

    const page = load(renderConsentPage(exported ? [exported] : []));
    for (const proof of [email, signedUpAt, confirmedAt, mail?.id ?? "no mail"]) expect(page.text()).toContain(proof);
    expect(page("blockquote").text()).toBe(exported?.records[0]?.text);
  });
});

describe("the export", () => {
  it("has every site's, or one's, and nothing for an address that isn't known", async () => {
    const bench = await openNewsletter();
    await signUp(bench, email, "DE");
    bench.pass(day);
    await signUp(bench, email, "PL");
    const sitesOf = async (site?: string) => (await exportConsent(bench.db, email, site)).map((one) => one.site);
    expect(await sitesOf()).toEqual(["DE", "PL"]);
    expect(await sitesOf("PL")).toEqual(["PL"]);
    expect(await exportConsent(bench.db, "nobody@shop.example")).toEqual([]);
  });

  it("tells the same network by the same hash, and another by another", async () => {
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
