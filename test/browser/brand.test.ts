import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright";
import PostalMime from "postal-mime";
import { afterAll, describe } from "vitest";
import builtIn from "../../brand.json" with { type: "json" };
import { widgetDocs } from "../../client/features/gallery/widget-docs.ts";
import { mailPairs, markPairs, textPairs } from "../../server/brand/contrast-pairs.ts";
import { createMailComposer } from "../../server/features/newsletter/mail/compose-mail.tsx";
import { queued, samples } from "../support/sample-mails.ts";
import { countries, texts } from "../support/test-app.ts";
import { loadOwnShop } from "../support/write-shop.ts";
import { answerNoRequests } from "./answer-requests.ts";
import { anySite } from "./chosen-sites.ts";
import { type ColorPair, findColorPairs } from "./color-pairs.ts";
import { expect } from "./expect.ts";
import { findOverflows } from "./find-overflows.ts";
import { showHostPage } from "./host-page.ts";
import { pageStates, pagesOfBrand } from "./page-states.ts";
import { test as base } from "./preview/open-preview.ts";
import { stillDesktop, viewports } from "./viewports.ts";

/** Gives each colour a unique value close to its own: its last five bits number it. */
function tellApart(colors: Record<string, string>): Map<string, string> {
  return new Map(
    Object.entries(colors).map(([name, color], index) => {
      const blue = (Number.parseInt(color.slice(5), 16) & ~31) | index;
      return [name, color.slice(0, 5) + blue.toString(16).padStart(2, "0")];
    }),
  );
}

const light = tellApart(builtIn.colors);
const dark = tellApart(builtIn.mail.dark);
const folder = await mkdtemp(join(tmpdir(), "brand-"));
const own = {
  colors: Object.fromEntries(light),
  type: { stack: "Georgia, serif" },
  radius: { box: 3, button: 9 },
  spacing: 0.3,
  mail: { dark: Object.fromEntries(dark) },
};
await writeFile(join(folder, "brand.json"), JSON.stringify(own));
const { assets, brand } = await loadOwnShop(folder);
afterAll(() => rm(folder, { recursive: true }));

const test = base.extend("own", { scope: "file" }, { assets, brand });

describe("a brand", () => {
  test("is in a footer on a page of somebody else, which asks for nothing more", async ({ newPage, shop }) => {
    const page = await newPage(stillDesktop);
    const styles = recordStyles(page);
    await showHostPage(page, shop, { site: anySite, include: (footer) => [footer] });
    await page.waitForLoadState("networkidle");
    expect(styles).toEqual([assets.url("footer.css")]);
    expect(await look(page, "footer[data-fragment]", "color", "fontFamily")).toEqual([
      toRgb(brand.colors.ink),
      "Georgia, serif",
    ]);
    expect(await look(page, ".sf-newsletter .sf-button", "backgroundColor", "borderRadius", "paddingLeft")).toEqual([
      toRgb(brand.colors.accent),
      "9px",
      "28.8px",
    ]);
  });

  test("is on pages, whatever their policy and other stylesheets", async ({ newPage, shop }) => {
    const page = await newPage(stillDesktop);
    const styles = recordStyles(page);
    await page.goto(shop.address(anySite, "/login"));
    expect(styles.toSorted()).toEqual(["footer.css", "login.css", "page.css"].map((name) => assets.url(name)).sort());
    expect(await look(page, "body", "color", "fontFamily")).toEqual([toRgb(brand.colors.ink), "Georgia, serif"]);
    expect(await look(page, ".sf-input", "borderTopColor", "borderRadius")).toEqual([
      toRgb(brand.colors.fieldLine),
      "3px",
    ]);
    expect(await page.locator("[style]").count()).toBe(0);
    // Even with the widest spacing, a narrow phone must show everything.
    await page.setViewportSize({ width: 320, height: 640 });
    for (const path of ["/login", "/"]) {
      await page.goto(shop.address(anySite, path));
      expect(await page.evaluate(findOverflows), path).toEqual([]);
    }
  });
});

describe("the pairs of colours whose contrast is checked", () => {
  test("are those that pages show", { timeout: 180_000 }, async ({ unwatchedPage, shop }) => {
    // The pages' policy forbids DOMParser, which the test needs to collect specimens.
    const page = await unwatchedPage({ ...stillDesktop, bypassCSP: true });
    const shown = new Map<string, string>();
    const collect = async (state: string) => {
      await page.setViewportSize({ ...viewports.CLASSIC, height: 6000 });
      for (const [pair, where] of nameAll(await findColorPairs(page), light)) shown.set(pair, `${where} of ${state}`);
      await page.setViewportSize(viewports.CLASSIC);
    };
    for (const name of pagesOfBrand) {
      const { site = anySite, states = {} } = pageStates[name] ?? {};
      for (const [state, show] of Object.entries(states)) {
        await show(page, shop, site);
        await collect(`${name} ${state}`);
      }
      await answerNoRequests(page);
      await page.context().clearCookies();
    }
    await page.goto(`${shop.listener}/widgets/text-input`);
    await page.evaluate(
      gatherSpecimens,
      widgetDocs.map(({ widget }) => widget),
    );
    await collect("the widgets");
    const listed = [...list("text", textPairs), ...list("mark", markPairs)];
    const ofTexts = new Set(list("mark", textPairs));
    expect([...shown].filter(([pair]) => !listed.includes(pair) && !ofTexts.has(pair))).toEqual([]);
    expect(listed.filter((pair) => !shown.has(pair))).toEqual([]);
  });

  test("are those that mails show, on light and dark screens", async ({ unwatchedPage }) => {
    const compose = createMailComposer({ brand, countries, texts, mailFrom: "news@shop.example" });
    for (const [colorScheme, colors] of [
      ["light", light],
      ["dark", dark],
    ] as const) {
      const page = await unwatchedPage({ ...stillDesktop, colorScheme });
      const shown = new Set<string>();
      for (const { kind, data } of samples) {
        const { message } = await compose(queued({ kind, data: JSON.stringify(data) }));
        await page.setContent((await PostalMime.parse(message)).html ?? "");
        for (const [pair] of nameAll(await findColorPairs(page), colors)) shown.add(pair);
      }
      expect([...shown].sort()).toEqual(list("text", mailPairs).sort());
    }
  });
});

/** Runs in the page: replaces its content by the specimens of all widgets. */
async function gatherSpecimens(widgets: string[]) {
  const pages = await Promise.all(widgets.map(async (widget) => (await fetch(`/widgets/${widget}`)).text()));
  const own = document.querySelector(".sf-specimens");
  own?.replaceChildren();
  for (const page of pages) {
    own?.append(...new DOMParser().parseFromString(page, "text/html").querySelectorAll(".sf-specimen"));
  }
}

/**
 * @returns the paths of built stylesheets and fonts that a page requests; the list grows
 */
function recordStyles(page: Page): string[] {
  const paths: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/assets\/.*\.(css|woff2)$/.test(pathname)) paths.push(pathname);
  });
  return paths;
}

/** Reads the computed look of an element. */
function look(page: Page, element: string, ...properties: (keyof CSSStyleDeclaration)[]): Promise<unknown[]> {
  const read = (found: Element, names: typeof properties) => names.map((name) => getComputedStyle(found)[name]);
  return page.locator(element).first().evaluate(read, properties);
}

/** Lists pairs as `text ink on surface`. */
function list(kind: ColorPair["kind"], pairs: readonly (readonly [string, readonly string[]])[]): string[] {
  return pairs.flatMap(([front, behind]) => behind.map((back) => `${kind} ${front} on ${back}`));
}

/** Lists the pairs of a page in the same way, with the place of each. A colour that isn't the brand's has no name. */
function nameAll(pairs: ColorPair[], colors: ReadonlyMap<string, string>): [string, string][] {
  const names = new Map([...colors].map(([name, color]) => [toRgb(color), name]));
  const nameOf = (color: string) => names.get(color) ?? color;
  return pairs.map(({ kind, front, back, where }) => [`${kind} ${nameOf(front)} on ${nameOf(back)}`, where]);
}

/** Writes a colour as browsers do. */
function toRgb(color: string): string {
  return `rgb(${[1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16)).join(", ")})`;
}
