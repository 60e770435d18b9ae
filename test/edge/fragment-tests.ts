import type { Browser } from "playwright";
import { describe, expect, it, vi } from "vitest";
import { second } from "../../client/rules/time.ts";
import { expectStyledFooter } from "../browser/styled-footer.ts";
import { desktop } from "../browser/viewports.ts";
import { openWatchedPage } from "../browser/watched-page.ts";
import { choose, christmas, header, signIn } from "../support/preview-test.ts";
import { type ComposerName, type Composers, placeOf, withoutTags } from "./start-composers.ts";
import type { EdgeService } from "./start-service.ts";

/** What a composer must do with a fragment. */
const promises = [
  "shows the footer in its place, and the page around it",
  "shows staff what they preview, and shoppers beside them what everybody sees",
  "shows everybody the same footer, whatever one visitor sends",
  "sends the service no cookie but those of a preview",
  "asks the service once for what many visitors want",
  "shows a new visitor the footer with style and pictures while the service is down",
] as const;

type FragmentPromise = (typeof promises)[number];

/** The promises that a composer can't keep, with the reason. */
export type FragmentExceptions = Partial<Record<FragmentPromise, string>>;

/** Started before the tests. */
interface Running {
  service: EdgeService;
  composers: Composers;
  browser: Browser;
  /** An address that the composer may include, and what the service answers there without its tags. */
  address: string;
  footer: string;
}

/** Requests of visitors that must not change a footer. */
const visitors: readonly Record<string, string>[] = [
  { Cookie: "affiliateNumber=1; xc-app=new; login=secret; LoginToken=x" },
  { Cookie: "preview=true; StaffAuthToken=x; CobraAuthToken=x" },
  { "X-Forwarded-Host": "tr.localhost", "X-Forwarded-Proto": "javascript", "X-Forwarded-For": "1.2.3.4" },
  { Forwarded: "host=tr.localhost", "X-Original-Address": "1.2.3.4", "X-Original-URL": "/fragments/footer/TR" },
  { Authorization: "Bearer x", "X-Site": "TR", "X-HTTP-Method-Override": "POST" },
  { Accept: "application/json", "Accept-Language": "tr-TR", "Cache-Control": "no-cache" },
];

/** Expects the footer as designed in a browser that has visited nothing before. */
async function expectFooterIn(browser: Browser, address: string) {
  const { page, close } = await openWatchedPage(browser, desktop);
  try {
    await page.goto(address);
    await expectStyledFooter(page);
  } finally {
    await close();
  }
}

/** Adds a test of each promise that a composer must keep. */
export function addFragmentTests(
  composer: ComposerName,
  running: () => Running,
  exceptions: FragmentExceptions = {},
): void {
  const open = async (headers?: Record<string, string>) => {
    const { composers, address } = running();
    return (await composers.compose(composer, address, headers)).text();
  };
  const show = async (headers?: Record<string, string>) => withoutTags(placeOf(await open(headers)));

  const askedFor = ({ service, address }: Running) =>
    service.asked.filter(({ url }) => url.replace(".json", "").startsWith(address));

  const tests: Record<FragmentPromise, () => Promise<void>> = {
    async "shows the footer in its place, and the page around it"() {
      const html = await open();
      expect(withoutTags(placeOf(html))).toBe(running().footer);
      expect(html).toMatch(/<main>.*<\/main>/s);
      expect(html.trimEnd()).toMatch(/<\/html>$/);
    },
    async "shows staff what they preview, and shoppers beside them what everybody sees"() {
      const { service, footer } = running();
      const staff = await choose(service.app, await signIn(service.app, service.deps.store.db), christmas, "B");
      const previewed = () => show({ Cookie: header(staff).join("; ") });
      const isPreview = expect.stringContaining('data-preview-context="true"');
      expect(await previewed()).toEqual(isPreview);
      expect(await show()).toBe(footer);
      expect(await previewed()).toEqual(isPreview);
    },
    async "shows everybody the same footer, whatever one visitor sends"() {
      for (const headers of visitors) {
        expect(await show(headers), JSON.stringify(headers)).toBe(running().footer);
        expect(await show(), `after ${JSON.stringify(headers)}`).toBe(running().footer);
      }
    },
    async "sends the service no cookie but those of a preview"() {
      for (const { Cookie } of visitors) if (Cookie) await show({ Cookie });
      const asked = askedFor(running());
      expect(asked).not.toEqual([]);
      for (const { headers } of asked)
        expect([undefined, expect.stringContaining("PreviewContext=")]).toContainEqual(headers.cookie);
    },
    async "asks the service once for what many visitors want"() {
      await show();
      const before = askedFor(running()).length;
      for (let visitor = 0; visitor < 3; visitor++) expect(await show()).toBe(running().footer);
      expect(askedFor(running())).toHaveLength(before);
    },
    async "shows a new visitor the footer with style and pictures while the service is down"() {
      const { service, composers, browser, address } = running();
      const page = composers.addressIn(composer, address);
      await expectFooterIn(browser, page);
      await service.fail("takes no connections");
      try {
        await expectFooterIn(browser, page);
      } finally {
        await service.fail(undefined);
        // Varnish asks the service again once its next check has succeeded.
        const get = async () => (await composers.varnish.get(`${address}&after=${performance.now()}`)).text();
        await vi.waitFor(async () => expect(await get()).not.toBe(""), 10 * second);
      }
    },
  };

  describe(composer, () => {
    for (const promise of promises) {
      const reason = exceptions[promise];
      if (reason === undefined) it(promise, tests[promise]);
      // A promise that is kept after all must not be listed as an exception.
      else it.fails(`is an exception, as ${reason}: ${promise}`, tests[promise]);
    }
  });
}
