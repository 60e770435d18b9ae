import { describe, expect, it } from "vitest";
import { day } from "../../../../client/rules/time.ts";
import { writeContent } from "../../../../server/shop/mail/write-content.ts";
import { siteOf } from "../../../support/site-of.ts";
import { createTestApp } from "../../../support/test-app.ts";

const { deps } = await createTestApp();

/** What the mail that asks for confirmation says of the end of its link, with a plain space for one that holds. */
function validityOf(code: string, until: string): string {
  const site = siteOf(code);
  const createdAt = Date.parse(until) - site.newsletter.confirmWithinDays * day;
  const { blocks } = writeContent(
    "confirm",
    { subscriberToken: "a", unsubscribeToken: "b" },
    { brand: deps.brand.name, site, texts: deps.texts, createdAt },
  );
  const text = deps.texts.translator(site.locale, "mail")("confirm.validity").split("{{")[0] ?? "";
  const block = blocks.find((candidate) => candidate.kind === "text" && candidate.text.startsWith(text));
  return block?.kind === "text" ? block.text.replaceAll("\u00a0", " ") : "";
}

describe("the end of a confirmation link", () => {
  it.each([
    ["DE", "Der Link ist gültig bis zum 29. November 2026, 2:19 Uhr."],
    ["AT", "Der Link ist gültig bis zum 29. November 2026, 2:19 Uhr."],
    ["CH", "Der Link ist gültig bis zum 29. November 2026, 2:19 Uhr."],
    ["CH_FR", "Ce lien est valable jusqu’au 29 novembre 2026 à 2:19."],
    ["PL", "Link jest ważny do 29 listopada 2026 r., godz. 2:19."],
    ["CZ", "Odkaz platí do 29. listopadu 2026, 2:19 hod."],
    ["SK", "Odkaz platí do 29. novembra 2026, 2:19 h."],
    ["HU", "A link eddig érvényes: 2026. november 29. 2:19."],
    ["TR", "Bağlantının son geçerlilik zamanı: 29 Kasım 2026, saat 4:19."],
  ])("is a date and a time as %s writes them, in its time zone", (code, expected) => {
    expect(validityOf(code, "2026-11-29T01:19Z")).toBe(expected);
  });

  it("on the first of a month is an ordinal in French", () => {
    expect(validityOf("CH_FR", "2027-01-01T11:00Z")).toContain("jusqu’au 1er janvier 2027 à 12:00.");
    expect(validityOf("CH_FR", "2027-01-11T11:00Z")).toContain("jusqu’au 11 janvier 2027");
  });
});
