import { load } from "cheerio";
import { HtmlValidate } from "html-validate";
import PostalMime, { type Email } from "postal-mime";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { day, hour } from "../../../../../client/rules/time.ts";
import { createMailComposer } from "../../../../../server/features/newsletter/mail/compose-mail.tsx";
import { createMailLook, MailDocument } from "../../../../../server/features/newsletter/mail/MailDocument.tsx";
import {
  oneClickLink,
  valuesOf,
  writeContent,
  writePlainText,
} from "../../../../../server/features/newsletter/mail/mail-content.ts";
import type { MailData, MailKind, QueuedMail } from "../../../../../server/features/newsletter/mail/outbox.ts";
import { enqueuedAt, queued, samples } from "../../../../support/sample-mails.ts";
import { brand, countries, createTestApp, sites } from "../../../../support/test-app.ts";

const { deps, logs } = await createTestApp();
const compose = createMailComposer({ brand, countries, texts: deps.texts, mailFrom: "news@shop.example" });

/** A mail as a mail program reads it. */
async function read(mail: Partial<QueuedMail>) {
  const { message, envelope } = await compose(queued(mail));
  const email = await PostalMime.parse(message);
  const header = (name: string) =>
    email.headers.filter(({ key }) => key === name.toLowerCase()).map(({ value }) => value);
  return { email, header, envelope, raw: message.toString("latin1") };
}

const validator = new HtmlValidate({
  extends: ["html-validate:standard", "html-validate:a11y"],
  rules: {
    // React writes void elements with a slash, attributes in capitals, and never an empty line.
    "void-style": "off",
    "attr-case": "off",
    "no-trailing-whitespace": "off",
    "long-title": "off",
    // Mail programs drop style sheets, and Outlook needs elements that HTML has dropped.
    "no-inline-style": "off",
    "no-deprecated-attr": "off",
    "no-conditional-comment": "off",
  },
});

const $of = ({ html = "" }: Pick<Email, "html">) => load(html);
const spaces = (text: string) => text.replace(/\s+/g, " ").trim();
const linksOf = (email: Pick<Email, "html">) =>
  $of(email)("a")
    .map((_index, link) => $of(email)(link).attr("href") ?? "")
    .get();

const cases = sites.flatMap((site) => samples.map((sample) => ({ site, code: site.site, sample, name: sample.name })));

describe.each(cases)("the mail of $code: $name", ({ site, sample }) => {
  const mail = () => read({ site: site.site, kind: sample.kind, data: JSON.stringify(sample.data) });

  it("has a subject and two bodies with the same text, and no gap left to fill in", async () => {
    const { email, raw } = await mail();
    expect(email.subject).toMatch(/^\S+(\s\S+)+$/);
    for (const body of [email.subject, email.text, email.html]) {
      expect(body).not.toMatch(/{{|}}|undefined|null|NaN|\[object|Invalid Date/);
      if (site.locale.endsWith("-CH")) expect(body).not.toContain("ß");
    }
    expect(spaces(email.text ?? "").length).toBeGreaterThan(200);
    expect(raw.match(/^Content-Type: text\/(plain|html); charset=utf-8\r$/gm)).toHaveLength(2);
    expect(raw.match(/^Content-Transfer-Encoding: quoted-printable\r$/gm)).toHaveLength(2);
    expect(logs.filter(({ msg }) => msg === "text missing")).toEqual([]);

    const $ = $of(email);
    $("body > div > div:first-child").remove();
    const html = $("body").text().replaceAll(" · ", "");
    const addresses = /:\n(https?:\/\/\S+)$/gm;
    const solid = (text: string) => text.replace(/\s/g, "");
    expect(solid((email.text ?? "").replaceAll(addresses, ""))).toBe(solid(html));
    expect([...(email.text ?? "").matchAll(addresses)].map(([, url]) => url)).toEqual(linksOf(email));
  });

  it("links to its own site alone, loads nothing, names its sender, and suppresses automatic replies", async () => {
    const { email, header } = await mail();
    const links = linksOf(email);
    expect(links.length).toBeGreaterThan(3);
    for (const link of links) expect(new URL(link).origin).toBe(site.origin);
    expect($of(email)("img, link, script, iframe, [src], [background]").length).toBe(0);
    expect(email.html).not.toMatch(/url\(|@import/);
    const { url, ...imprint } = site.imprint;
    expect(email.text).toContain(`${site.newsletter.sender}, ${imprint.address}\n${imprint.register}`);
    for (const fact of Object.values(imprint)) expect(email.text).toContain(fact);
    for (const path of [url, site.newsletter.links.privacy, site.newsletter.links.contact])
      expect(links).toContain(site.origin + path);
    expect(email.from).toMatchObject({ name: "Storefront", address: "news@shop.example" });
    expect(header("List-Unsubscribe")).toEqual([
      `<${site.origin}/service/newsletter/api/internal/newsletter-subscribers/unsubscribe-token_1/unsubscribe>`,
    ]);
    expect(header("List-Unsubscribe-Post")).toEqual(["List-Unsubscribe=One-Click"]);
    expect(header("Auto-Submitted")).toEqual(["auto-generated"]);
    expect(header("Content-Language")).toEqual([site.locale]);
  });

  it("has a layout that Outlook supports, also without its style sheet, and is shorter than where Gmail cuts", async () => {
    const { html = "" } = (await mail()).email;
    const $ = load(html);
    expect($("table:not([role=presentation])")).toHaveLength(0);
    expect(html).toMatch(/<!--\[if mso\]><table role="presentation" width="600"/);
    const styles = $("[style]")
      .toArray()
      .map((element) => $(element).attr("style"));
    expect(styles.join(";")).not.toMatch(/flex|grid|position|float|var\(|calc\(|url\(|rem\b|vw\b|!important/);
    expect($("style").text()).toMatch(/^@media \(prefers-color-scheme: dark\) \{[^@]*\}$/);
    expect($("meta[name=color-scheme]").attr("content")).toBe("light dark");
    for (const link of $("a").toArray()) expect($(link).attr("style"), $(link).text()).toMatch(/(^|;)color:#/);
    expect(Buffer.byteLength(html)).toBeLessThan(102_000);
  });

  it("is valid HTML in the site's language", async () => {
    const { email } = await mail();
    const { results } = validator.validateStringSync(email.html ?? "");
    expect(results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => `${ruleId}: ${message}`))).toEqual(
      [],
    );
    expect($of(email)("html").attr("lang")).toBe(site.locale);
    expect($of(email)("body > [dir]").attr("lang"), "where webmail drops the document").toBe(site.locale);
    expect($of(email)("title").text()).toBe(email.subject);
  });
});

/** Values that somebody may have entered or imported, and that texts or messages treat specially. */
const hostileValues = [
  ...["<script>alert(1)</script>", `"><a href='https://evil.example'>&amp;&lt;`, "{{shop}} $t(confirm.text) $& $1", ""],
  ...["\u202Eקוד\u2066 كود", "=3D=\r\n.\r\n--boundary", "two..stops.", `${"ä€😀 ".repeat(60)}x`, " .a. "],
];

it.each(sites)(
  "a mail of $site that is filled in is the same as one that is rendered, whatever it holds",
  async (site) => {
    const moments = [0, 1, 9, 11, 40].map((days) => enqueuedAt + days * day + days * hour);
    let mails = 0;
    for (const { kind, data } of samples)
      for (const [index, value] of [...hostileValues, ...moments].entries()) {
        const createdAt = moments[index % moments.length] ?? 0;
        const hostile = String(value);
        const held = {
          ...data,
          ...("subscriberToken" in data && { subscriberToken: hostile }),
          unsubscribeToken: `${hostile}2`,
          preferencesToken: `${hostile}3`,
          ...("voucher" in data && { voucher: { ...data.voucher, code: hostile, discount: index } }),
        } as MailData[MailKind];
        const { email, header, raw } = await read({ site: site.site, kind, data: JSON.stringify(held), createdAt });
        const { values, terms } = valuesOf(held, site, createdAt);
        const content = writeContent(kind, values, terms, {
          brand: brand.name,
          site,
          texts: deps.texts,
          linksPreferences: kind !== "preferences",
        });
        const html = renderToStaticMarkup(createElement(MailDocument, { content, look: createMailLook(brand) }));
        const lines = (text = "") => text.trimEnd().split(/\r?\n/);
        expect(lines(email.html)).toEqual(lines(`<!DOCTYPE html>${html}`));
        expect(lines(email.text)).toEqual(lines(writePlainText(content)));
        expect(email.subject).toBe(content.subject);
        expect(header("List-Unsubscribe")).toEqual([`<${oneClickLink(site, values)}>`]);
        const [, ...bodies] = raw.split("\r\n\r\n");
        for (const line of bodies.join("\r\n").split("\r\n")) expect(line.length, line).toBeLessThanOrEqual(76);
        mails++;
      }
    expect(mails).toBe(samples.length * (hostileValues.length + moments.length));
  },
);

it.each(sites)("the mails of $site have the links, terms and numbers of their kind", async (site) => {
  const { links, minimumAge } = site.newsletter;
  const mails = new Map<string, Email>();
  for (const { name, kind, data } of samples)
    mails.set(name, (await read({ site: site.site, kind, data: JSON.stringify(data) })).email);
  const linksIn = (name: string) => linksOf(mails.get(name) ?? {});
  const textOf = (name: string) => spaces(`${mails.get(name)?.subject} ${mails.get(name)?.text}`);
  const discount = /10\s?%|%10/;

  expect(linksIn("confirm").slice(0, 2)).toEqual([
    `${site.origin}/newsletter/confirm?token=subscriber-token_1`,
    `${site.origin}/newsletter/refuse?token=subscriber-token_1`,
  ]);
  expect(textOf("confirm")).toContain(String(minimumAge));
  expect(textOf("confirm"), "it may not advertise").not.toMatch(discount);

  const welcome = "welcome with a voucher for a month";
  expect(mails.get(welcome)?.subject).toMatch(discount);
  expect(textOf(welcome)).toContain("WELCOME-4F7K-9Q2M");
  expect(linksIn(welcome)).toContain(site.origin + links.voucherConditions);
  expect(linksIn(welcome)).toContain(`${site.origin}/newsletter/unsubscribe?token=unsubscribe-token_1`);
  expect(textOf("welcome with a voucher without end")).not.toContain("2026");
  expect(textOf("welcome without a voucher")).not.toMatch(discount);
  expect(linksIn("welcome without a voucher")).not.toContain(site.origin + links.voucherConditions);
  const page = `${site.origin}/newsletter/preferences?token=preferences-token_1`;
  for (const [name, { html }] of mails) expect(html?.split(page), name).toHaveLength(2);
});

describe("a mail", () => {
  it.each([
    ["DE", "bis zum 28. November 2026, 22:30 Uhr", "22. Dezember 2026"],
    ["CH_FR", "jusqu’au 28 novembre 2026 à 22 h 30", "22 décembre 2026"],
    ["PL", "do 28 listopada 2026 r., godz. 22:30", "22 grudnia 2026"],
    ["CZ", "do 28. listopadu 2026, 22:30 hod.", "22. prosince 2026"],
    ["SK", "do 28. novembra 2026, 22:30 h.", "22. decembra 2026"],
    ["HU", "2026. november 28. 22:30", "2026. december 22."],
    ["TR", "29 Kasım 2026, saat 0:30", "23 Aralık 2026"],
  ])("to %s names its days as they are written and begin there", async (site, until, lastDay) => {
    const textOf = async (mail: Partial<QueuedMail>) => spaces((await read({ site, ...mail })).email.text ?? "");
    const createdAt = enqueuedAt + (7 - (countries.get(site)?.newsletter.confirmWithinDays ?? 0)) * day;
    expect(await textOf({ createdAt })).toContain(until);
    const welcome = samples.find(({ name }) => name === "welcome with a voucher for a month");
    expect(await textOf({ kind: "welcome", data: JSON.stringify(welcome?.data) })).toContain(lastDay);
  });

  it.each([
    ["2027-01-01T11:00Z", "jusqu’au 1er janvier 2027 à 12 h."],
    ["2027-01-11T11:00Z", "jusqu’au 11 janvier 2027"],
  ])("writes the first of a month and times in French as French does: %s", async (until, expected) => {
    const createdAt = Date.parse(until) - (countries.get("CH_FR")?.newsletter.confirmWithinDays ?? 0) * day;
    expect(spaces((await read({ site: "CH_FR", createdAt })).email.text ?? "")).toContain(expected);
  });

  it("is the same to the byte at every attempt, with a Message-ID of its site and the time of its request", async () => {
    const row = queued({ site: "CH_FR" });
    const [first, second] = [await compose(row), await compose({ ...row, attempts: 7 })];
    expect(second).toEqual(first);
    const email = await PostalMime.parse(first.message);
    expect(email.messageId).toBe(`<${row.id}@ch-fr.localhost>`);
    expect(new Date(email.date ?? "").getTime()).toBe(enqueuedAt);
  });

  it("has the sender's name where one is set", async () => {
    const mailFrom = '"Shop, Süd" <news@shop.example>';
    const named = createMailComposer({ brand, countries, texts: deps.texts, mailFrom });
    const { from } = await PostalMime.parse((await named(queued())).message);
    expect(from).toMatchObject({ name: "Shop, Süd", address: "news@shop.example" });
  });

  it.each([
    ["anna@bücher.example", "anna@xn--bcher-kva.example"],
    ["jürgen@bücher.example", "jürgen@bücher.example"],
    ['"a b"@shop.example', '"a b"@shop.example'],
    ['"a,b@c.example"@shop.example', '"a,b@c.example"@shop.example'],
  ])(
    "goes to the address that it is for, with a host in ASCII unless all of it needs SMTPUTF8: %s",
    async (recipient, address) => {
      const { envelope, raw } = await read({ recipient });
      expect(envelope).toEqual({ from: "news@shop.example", to: address });
      expect(Buffer.from(raw, "latin1").toString()).toMatch(/^To: \S.*\r$/m);
    },
  );

  it.each([
    ...["anna@shop.example\r\nBcc: eve@evil.example", "anna@shop.example\r\n\r\n<p>planted</p>"],
    ...["anna@shop.example, eve@evil.example", "anna@shop.example> <eve@evil.example", "anna@shop.example\0"],
  ])("adds no header and no recipient from an address: %j", async (recipient) => {
    const [usual, mail] = [await read({}), await read({ recipient })];
    expect(mail.envelope.to).not.toMatch(/[\r\n<>\0]/);
    const keys = ({ email }: typeof mail) => email.headers.map(({ key }) => key);
    expect(keys(mail)).toEqual(keys(usual));
    expect(mail.email.to).toHaveLength(1);
    expect(mail.email.text).toBe(usual.email.text);
  });

  it("isn't composed for an unknown site or without a recipient", async () => {
    await expect(compose(queued({ site: "XX" }))).rejects.toThrow("there is no country XX");
    await expect(compose(queued({ recipient: "" }))).rejects.toThrow("the mail isn't for one recipient");
  });
});
