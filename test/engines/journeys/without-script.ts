import { describe, expect } from "vitest";
import { plainSite } from "../../browser/chosen-sites.ts";
import { blockText, pageText } from "../../support/newsletter-pages.ts";
import { subscriptionOf } from "../../support/newsletter-test.ts";
import { texts } from "../../support/test-app.ts";
import { test as base } from "../engine-test.ts";

const test = base.extend("scripting", { scope: "worker" }, () => false);

const site = plainSite;
const voucherCode = /^[2-9A-Z]{12}$/m;

describe("without script", () => {
  test("the newsletter leads to the voucher, the subscriber's page and out again, once a mistake is put right", async ({
    shop,
    visitor,
  }) => {
    await visitor.open(shop.address(site));
    await visitor.write("[data-section=newsletter] [name=email]", "anna@nowhere");
    await visitor.press("Enter");
    await expect.poll(() => visitor.address()).toBe(shop.address(site, "/newsletter"));
    expect(await visitor.text("main form")).toContain(blockText(site)("error.email.invalid"));
    expect(shop.takeFaults()).toEqual(["422: POST /newsletter"]);
    const email = "anna@plain.example";
    await visitor.write("main [name=email]", email);
    await visitor.click("main form [type=submit]");
    await expect.poll(() => visitor.text("main [role=status]")).toContain(email);

    const [question = ""] = await shop.mailsTo(email);
    const [link = ""] = /http:\S+\/newsletter\/confirm\?token=\S+/.exec(question) ?? [];
    await visitor.open(link);
    await visitor.click("main form [type=submit]");
    await expect.poll(() => visitor.address()).toBe(shop.address(site, "/newsletter/confirmed"));
    await expect.poll(() => visitor.text("h1")).toBe(pageText(site)("confirmed.title"));
    await expect.poll(async () => (await shop.mailsTo(email)).at(-1)).toMatch(voucherCode);

    const [page = ""] =
      /http:\S+\/newsletter\/preferences\?token=\S+/.exec((await shop.mailsTo(email)).at(-1) ?? "") ?? [];
    await visitor.open(page);
    await visitor.write("main [name=firstName]", "Anna");
    await visitor.click("main [name=categories][value=COFFEE]");
    await visitor.click("main [name=consents][value=DNE]");
    await visitor.click("main form:first-of-type [type=submit]");
    const text = texts.translator(site.locale, "preferences");
    await expect.poll(() => visitor.text("main")).toContain(text("saved"));
    const stored = await subscriptionOf(shop.store.db, email, site.site);
    expect(stored).toMatchObject({ firstName: "Anna", categories: '["COFFEE"]', consents: '["DNE"]' });
    await visitor.click("main [action='/newsletter/unsubscribe'] [type=submit]");
    await expect.poll(() => visitor.address()).toBe(shop.address(site, "/newsletter/unsubscribed"));
    expect((await subscriptionOf(shop.store.db, email, site.site))?.state).toBe("withdrawn");
  });
});
