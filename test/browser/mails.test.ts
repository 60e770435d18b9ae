import PostalMime from "postal-mime";
import { describe } from "vitest";
import { createMailComposer } from "../../server/features/newsletter/mail/compose-mail.tsx";
import { queued, samples } from "../support/sample-mails.ts";
import { brand, countries, sites, texts } from "../support/test-app.ts";
import { anySite } from "./chosen-sites.ts";
import { expect } from "./expect.ts";
import { findViolations } from "./find-violations.ts";
import { test } from "./shop-test.ts";
import { desktop } from "./viewports.ts";

const compose = createMailComposer({ brand, countries, texts, mailFrom: "news@shop.example" });

async function htmlOf(site: string, { kind, data }: (typeof samples)[number]): Promise<string> {
  const { message } = await compose(queued({ site, kind, data: JSON.stringify(data) }));
  return (await PostalMime.parse(message)).html ?? "";
}

const withoutStyleSheet = (html: string) => html.replace(/<style>.*<\/style>/s, "");

/** In a mail program, an email is only a part of the page. */
const ofWholePages = /^(landmark-one-main|region) /;

describe.for(sites)("the mails of $site", ({ site }) => {
  test("are one column of 600 pixels, and as wide as a narrower screen", async ({ sharedPage }) => {
    const page = await sharedPage(desktop);
    for (const sample of samples) {
      await page.setContent(withoutStyleSheet(await htmlOf(site, sample)));
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        const column = await page.locator(".card").boundingBox();
        expect(column?.width, `${sample.name} at ${width} px`).toBe(Math.min(600, width - 24));
        expect(column?.x, `${sample.name} at ${width} px`).toBe((width - Math.min(600, width - 24)) / 2);
        expect(await page.evaluate(() => document.documentElement.scrollWidth), sample.name).toBe(width);
      }
    }
  });
});

test.for(["light", "dark"] as const)("what mails say can be read on a %s screen", async (colorScheme, { newPage }) => {
  const page = await newPage({ ...desktop, colorScheme });
  for (const sample of samples) {
    const html = await htmlOf(anySite.site, sample);
    // The colours of dark screens are in the style sheet.
    for (const shown of colorScheme === "dark" ? [html] : [html, withoutStyleSheet(html)]) {
      await page.setContent(shown);
      const violations = await findViolations(page);
      expect(violations.filter((line) => !ofWholePages.test(line))).toEqual([]);
    }
  }
});
