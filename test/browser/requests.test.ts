import type { Page } from "playwright";
import { describe } from "vitest";
import { answerRequests } from "./answer-requests.ts";
import { anySite } from "./chosen-sites.ts";
import { expect } from "./expect.ts";
import { showHostPage } from "./host-page.ts";
import { loadImages } from "./load-everything.ts";
import { test } from "./shop-test.ts";
import { desktop } from "./viewports.ts";

const assignment = "/service/abtestfrontend/api/v1/getassignment";
const expected = ["/assets/boot.js", "/assets/footer.css", "/assets/icons.svg", assignment];
const picture = "/service/newsletterfrontend/newslettersubscriptionform/400x300.svg";
const farAbove = '<div style="height: 9000px"></div>';

describe("a footer on a page of somebody else", () => {
  const site = anySite;

  test("loads its stylesheet, script and icons, asks for an assignment, and for images when it comes into view", async ({
    sharedPage,
    shop,
  }) => {
    const page = await sharedPage(desktop);
    const requests = recordRequests(page);
    await showHostPage(page, shop, { site, include: (footer) => [farAbove, footer] });
    await page.waitForLoadState("networkidle");
    expect(requests.toSorted()).toEqual(expected);

    requests.length = 0;
    const logos = page.locator("footer[data-fragment] img:not(picture img)");
    await loadImages(logos);
    await loadImages(page.locator("footer[data-fragment] picture img"));
    await page.waitForLoadState("networkidle");
    const sources = await logos.evaluateAll((all) =>
      all.map((logo) => logo.getAttribute("src")?.replace(/\?v=.*/, "")),
    );
    expect(requests.toSorted()).toEqual([...new Set(sources), picture].toSorted());
  });
});

describe("a file of a footer", () => {
  test("is loaded once where a header preloads what a tag names", async ({ newPage, shop }) => {
    const page = await newPage(desktop);
    const requests = recordRequests(page);
    // A Chromium with windows requests the favicon, because a fragment names none.
    shop.answer(shop.address(anySite, "/favicon.ico"), (_request, response) => void response.writeHead(204).end());
    const response = await page.goto(shop.address(anySite, `/fragments/footer/${anySite.site}`));
    expect(response?.headers().link).toContain("rel=preload; as=style; integrity=");
    await page.waitForLoadState("networkidle");
    const loaded = requests.filter((path) => /boot|footer\.css/.test(path));
    expect(loaded.toSorted()).toEqual(["/assets/boot.js", "/assets/footer.css"]);
  });
});

describe("the script of a footer", () => {
  const site = anySite;

  test("asks for an A/B assignment after the page has loaded, and ignores a failure", async ({ newPage, shop }) => {
    const page = await newPage(desktop);
    const slow = Promise.withResolvers<void>();
    await answerRequests(page, "*/host/slow.png", (request) => slow.promise.then(() => request.fulfill({})));
    await answerRequests(page, `*${assignment}`, (request) => request.abort("aborted"));
    const requests = recordRequests(page);
    const shown = showHostPage(page, shop, {
      site,
      include: (footer) => [footer, footer, '<img src="/host/slow.png" alt="">'],
    });
    await expect(page.locator("footer[data-platform=CLASSIC]")).toHaveCount(2);
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    expect(requests).not.toContain(assignment);
    slow.resolve();
    await shown;
    await expect.poll(() => requests.filter((path) => path === assignment)).toHaveLength(1);
  });
});

/**
 * @returns the paths that the footer requests, without the build's hashes; the list grows
 */
function recordRequests(page: Page): string[] {
  const paths: string[] = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    const ofHost = pathname.startsWith("/host/") || search === "?icon";
    if (!ofHost) paths.push(pathname.replace(/^(\/assets\/.*)-[A-Z0-9]{8}(\.\w+)$/, "$1$2"));
  });
  return paths;
}
