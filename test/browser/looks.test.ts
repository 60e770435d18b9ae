import { readdir, rm } from "node:fs/promises";
import { join, parse } from "node:path";
import type { BrowserContextOptions, Locator, Page } from "playwright";
import PostalMime from "postal-mime";
import { afterAll, beforeAll, vi } from "vitest";
import { widgetDocs } from "../../client/features/gallery/widget-docs.ts";
import { createMailComposer } from "../../server/features/newsletter/mail/compose-mail.tsx";
import type { MailKind } from "../../server/features/newsletter/mail/outbox.ts";
import { queued, samples } from "../support/sample-mails.ts";
import { brand, countries, sites, texts } from "../support/test-app.ts";
import { anySite, centralEuropeanSite, newsletterKinds, siteWith } from "./chosen-sites.ts";
import { expect } from "./expect.ts";
import { changedLooks, expectLook, keepsChanges, keptLooks } from "./expect-look.ts";
import { findViolations } from "./find-violations.ts";
import { showHostPage } from "./host-page.ts";
import { loadEverything } from "./load-everything.ts";
import { answerSignUps, fillInRequired, openNewsletter } from "./open-newsletter.ts";
import { christmas, openPreview, openTests, test } from "./preview/open-preview.ts";
import type { Shop } from "./start-shop.ts";

/** A look that is compared with the picture of its name. */
interface Look {
  name: string;
  window: BrowserContextOptions;
  /** Brings about the look, and returns the element to compare. */
  show: (page: Page, shop: Shop) => Promise<Locator>;
  /** Selector of a part that isn't compared. */
  masked?: string;
  /** Whether to check the page's accessibility as well. Set for pages that no other test checks. */
  checksPage?: true;
}

/** Pictures have half the size of the elements. That keeps the files small, and still shows a shift of two pixels. */
const scaled = { deviceScaleFactor: 0.5, reducedMotion: "reduce" } as const;
const wide = { viewport: { width: 1280, height: 900 }, ...scaled };
const narrow = { viewport: { width: 375, height: 812 }, ...scaled };

// Chosen from the built-in sites, so that a new country changes no picture.
const longForm = siteWith(({ locale }) => locale === "tr-TR");
const compose = createMailComposer({ brand, countries, texts, mailFrom: "news@shop.example" });

const looks: Look[] = [
  ...sites.map(
    (site): Look => ({
      name: `footer-${site.site}`,
      window: wide,
      async show(page, shop) {
        await showHostPage(page, shop, { site, parameters: { newsletter: "false" }, include: (markup) => [markup] });
        await loadEverything(page);
        return page.locator("[data-fragment=footer]");
      },
    }),
  ),
  ...newsletterKinds.slice(0, 3).map(
    (site): Look => ({
      name: `footer-${site.site}-narrow`,
      window: narrow,
      show: (page, shop) => open(page, shop.address(site), "[data-fragment=footer]"),
    }),
  ),
  {
    name: "newsletter",
    window: wide,
    show: (page, shop) => open(page, shop.address(anySite), "[data-section=newsletter]"),
  },
  {
    name: "newsletter-faults",
    window: wide,
    async show(page, shop) {
      const block = await openNewsletter(page, shop, longForm);
      await block.locator("[name=email]").fill("anna@");
      await block.locator("[type=submit]").click();
      await expect(block.locator("[aria-invalid]")).not.toHaveCount(0);
      return block;
    },
  },
  {
    name: "newsletter-success",
    window: wide,
    async show(page, shop) {
      await answerSignUps(page);
      const block = await openNewsletter(page, shop, longForm);
      await fillInRequired(block, longForm);
      await block.locator("[type=submit]").click();
      await expect(block.locator("form")).toBeHidden();
      return block;
    },
  },
  { name: "header", window: wide, show: (page, shop) => open(page, shop.address(anySite, "/login"), "header") },
  { name: "home", window: wide, show: (page, shop) => open(page, shop.address(anySite), "main") },
  { name: "login", window: wide, show: (page, shop) => open(page, shop.address(anySite, "/login"), "main") },
  {
    name: "not-found",
    window: wide,
    async show(page, shop) {
      const address = `${shop.listener}/nowhere`;
      // Any other status would count as a fault of the page.
      await page.route(address, async (route) => route.fulfill({ response: await route.fetch(), status: 200 }));
      return open(page, address, "main");
    },
  },
  { name: "staff-login", window: wide, show: (page, shop) => open(page, shop.address(anySite, "/preview"), "main") },
  {
    name: "preview-panel",
    window: wide,
    async show(page, shop) {
      const panel = await openPreview(page, shop, centralEuropeanSite, christmas);
      await expect(panel.getByRole("button", { name: /change:/ })).toHaveCount(2);
      return panel;
    },
  },
  {
    name: "preview-settings",
    window: wide,
    show: async (page, shop) => openTests(await openPreview(page, shop, centralEuropeanSite, christmas)),
  },
  ...widgetDocs.map(
    ({ widget }): Look => ({
      name: `widget-${widget}`,
      window: wide,
      show: (page, shop) => open(page, `${shop.listener}/widgets/${widget}`, ".sf-specimens"),
      masked: ".sf-specimen > :not(.sf-specimen-stage)",
      checksPage: true,
    }),
  ),
  { name: "mail-confirm", window: narrow, show: (page) => showMail(page, "confirm") },
  { name: "mail-welcome", window: narrow, show: (page) => showMail(page, "welcome") },
  { name: "mail-welcome-dark", window: { ...narrow, colorScheme: "dark" }, show: (page) => showMail(page, "welcome") },
];

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date(christmas.previewDateTime) });
  await rm(changedLooks, { recursive: true, force: true });
});

afterAll(() => void vi.useRealTimers());

test.for(looks)("$name looks as it did", async (look, { sharedPage, shop, skip }) => {
  const { name, window, show, masked, checksPage } = look;
  skip(process.platform !== "linux", "the pictures are of Linux: elsewhere text is drawn otherwise");
  const page = await sharedPage(window);
  await page.mouse.move(0, 0);
  await expectLook(await show(page, shop), name, masked ? [page.locator(masked)] : []);
  // The brand's test checks the contrast of all specimens.
  if (checksPage) expect(await findViolations(page, undefined, false)).toEqual([]);
});

test("no picture is kept that nothing is compared with", async () => {
  const names = looks.map(({ name }) => name);
  const left = (await readdir(keptLooks)).filter((file) => !names.includes(parse(file).name));
  if (!keepsChanges()) return expect(left).toEqual([]);
  for (const file of left) await rm(join(keptLooks, file));
});

async function open(page: Page, address: string, part: string): Promise<Locator> {
  await page.goto(address);
  await loadEverything(page);
  return page.locator(part);
}

async function showMail(page: Page, kind: MailKind): Promise<Locator> {
  const sample = samples.find((each) => each.kind === kind);
  const { message } = await compose(queued({ site: anySite.site, kind, data: JSON.stringify(sample?.data) }));
  // The policy of another page would forbid the email's styles.
  await page.goto("about:blank");
  await page.setContent((await PostalMime.parse(message)).html ?? "");
  return page.locator("body");
}
