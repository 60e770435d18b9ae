import { answerNoRequests, answerRequests } from "./answer-requests.ts";
import { plainSite, siteWith } from "./chosen-sites.ts";
import { expect } from "./expect.ts";
import { test } from "./shop-test.ts";
import { desktop, phone } from "./viewports.ts";

/** https://developer.mozilla.org/en-US/docs/Web/API/LayoutShift */
interface LayoutShift extends PerformanceEntry {
  readonly value: number;
  readonly sources: { readonly node: Node | null }[];
}

test.for([
  { name: "on a phone", options: phone },
  { name: "in a large window", options: desktop },
])(
  "nothing moves while a page loads $name, not even when the script comes last",
  async ({ options }, { newPage, shop }) => {
    const page = await newPage(options);
    const found: string[] = [];
    for (const site of [plainSite, siteWith(({ newsletter }) => newsletter.legals)]) {
      const parsed = Promise.withResolvers<void>();
      const drawn = Promise.withResolvers<void>();
      await answerRequests(page, "*/assets/*.css", (request) => parsed.promise.then(request.continue));
      await answerRequests(page, "*/assets/*.js", (request) => drawn.promise.then(request.continue));
      await page.goto(shop.address(site), { waitUntil: "commit" });
      // The first picture must show the whole page. Otherwise the parser's pauses could count as shifts.
      await page.waitForFunction(() => document.readyState === "interactive", undefined, { polling: 20 });
      parsed.resolve();
      await page.locator("footer[data-fragment=footer]").waitFor();
      await page.evaluate(scrollThrough);
      expect(await page.evaluate(() => document.readyState), "before the script").toBe("interactive");
      drawn.resolve();
      await page.waitForLoadState("load");
      found.push(...(await page.evaluate(layoutShifts)).map((shift) => `${site.site}: ${shift}`));
      await answerNoRequests(page);
    }
    expect(found).toEqual([]);
  },
);

/** Scrolls every visible image into the window, so that lazy ones load, and waits for each. */
async function scrollThrough() {
  for (const image of document.images) {
    if (!image.checkVisibility()) continue;
    image.scrollIntoView({ block: "center" });
    await image.decode();
  }
}

/** Lists the layout shifts since the page began: how much, and which elements. */
function layoutShifts(): Promise<string[]> {
  return new Promise((resolve) => {
    const observer = new PerformanceObserver((list) => {
      observer.disconnect();
      const shifts = list.getEntriesByType("layout-shift") as LayoutShift[];
      resolve(
        shifts.map(({ value, sources }) => {
          const moved = sources.map(({ node }) =>
            node instanceof Element ? node.outerHTML.slice(0, 80) : node?.nodeName,
          );
          return `${value} by ${moved.join(", ")}`;
        }),
      );
    });
    observer.observe({ type: "layout-shift", buffered: true });
    // Buffered entries come before this mark. If nothing has shifted, it comes alone.
    observer.observe({ type: "mark" });
    requestAnimationFrame(() => requestAnimationFrame(() => performance.mark("settled")));
  });
}
