import { PNG } from "pngjs";
import { describe, expect } from "vitest";
import { anySite, siteWith } from "../../browser/chosen-sites.ts";
import type { Driver } from "../driver.ts";
import { test } from "../engine-test.ts";
import type { Visitor } from "../visitor.ts";

const site = anySite;
const austria = siteWith(({ switcher: { flag } }) => flag === "austria");
const other = siteWith(({ site: code }) => code !== site.site);
const footer = "footer[data-fragment=footer]";
const serviceList = "[data-section=teasers] nav";
const switcher = "[data-section=country-switcher]";
const tooWide = ({ scrollWidth, clientWidth }: HTMLElement) => scrollWidth - clientWidth;

/** Counts the colours in an element's icon, which is at the start of its content. */
async function colorsOfIcon(driver: Driver, visitor: Visitor, selector: string): Promise<Map<string, number>> {
  const place = await visitor.look(selector, (element) => {
    element.scrollIntoView({ block: "center" });
    const { x, y, height } = element.getBoundingClientRect();
    const { borderLeftWidth, paddingLeft } = getComputedStyle(element);
    return { left: x + Number.parseFloat(borderLeftWidth) + Number.parseFloat(paddingLeft), middle: y + height / 2 };
  });
  const { data, width } = PNG.sync.read(Buffer.from(await driver.picture()));
  const colors = new Map<string, number>();
  for (let pixel = 0; place && pixel < 24 * 16; pixel++) {
    const [x, y] = [Math.round(place.left) + (pixel % 24), Math.round(place.middle) - 8 + Math.floor(pixel / 24)];
    const color = data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3).join();
    colors.set(color, (colors.get(color) ?? 0) + 1);
  }
  return colors;
}

describe("the footer", () => {
  test("draws its icons in the text's colour, and flags in their own", async ({ driver, shop, visitor }) => {
    await visitor.open(shop.address(austria));
    const icon = `${serviceList} h3 a`;
    const ink = await visitor.look(icon, (link) => getComputedStyle(link, "::before").color.replace(/[^\d,]/g, ""));
    // An icon has lines on a background, and isn't a filled square.
    await expect
      .poll(async () => (await colorsOfIcon(driver, visitor, icon)).get(String(ink)) ?? 0)
      .toBeGreaterThan(15);
    expect((await colorsOfIcon(driver, visitor, icon)).get(String(ink))).toBeLessThan(200);
    const flag = await colorsOfIcon(driver, visitor, `${switcher} summary`);
    const red = [...flag].filter(([color]) => /^(?:1[89]|2)\d+,\d\d?,\d\d?$/.test(color));
    expect(red.reduce((sum, [, count]) => sum + count, 0)).toBeGreaterThan(150);
  });

  test("shows its service lists in a large window", async ({ shop, visitor }) => {
    await visitor.open(shop.address(site));
    await expect.poll(() => visitor.look(footer, ({ dataset }) => dataset.platform)).toBe("CLASSIC");
    expect(await visitor.isShown(`${serviceList} ul`)).toBe(true);
    expect(await visitor.look("html", tooWide)).toBe(0);
  });

  test("opens and closes its service lists on a phone", async ({ shop, visitor }) => {
    await visitor.openOnPhone(shop.address(site));
    await expect.poll(() => visitor.look(footer, ({ dataset }) => dataset.platform)).toBe("MATCH");
    expect(await visitor.isShown(`${serviceList} ul`)).toBe(false);
    await visitor.click(`${serviceList} summary`);
    await expect.poll(() => visitor.isShown(`${serviceList} ul`)).toBe(true);
    await visitor.press("Enter");
    await expect.poll(() => visitor.isShown(`${serviceList} ul`)).toBe(false);
    expect(await visitor.look("html", tooWide)).toBe(0);
  });

  test("opens the country switcher, closes it on Escape, and leads to the other country", async ({ shop, visitor }) => {
    await visitor.open(shop.address(site));
    await visitor.click(`${switcher} summary`);
    await visitor.press("Tab");
    await expect.poll(() => visitor.hasFocus(`${switcher} a`)).toBe(true);
    await visitor.press("Escape");
    await expect.poll(() => visitor.isShown(`${switcher} a`)).toBe(false);
    expect(await visitor.hasFocus(`${switcher} summary`)).toBe(true);
    await visitor.press("Enter");
    await visitor.click(`${switcher} a[data-code="${other.switcher.code}"]`);
    await expect.poll(() => visitor.address()).toBe(shop.address(other));
    expect(await visitor.look("html", ({ lang }) => lang)).toBe(other.locale);
  });
});

describe("a page's faults", () => {
  test("are seen", async ({ driver, shop, visitor }) => {
    await visitor.open(shop.address(anySite));
    await driver.evaluate(`void setTimeout(() => {
      document.body.setAttribute("style", "color: red");
      console.error("planted");
      Promise.reject(new Error("planted"));
      throw new Error("planted");
    })`);
    const faults: string[] = [];
    await expect.poll(() => faults.push(...shop.takeFaults())).toBe(4);
    expect(faults.map((fault) => fault.split(" ")[0]).sort()).toEqual(["console", "policy:", "rejected:", "uncaught:"]);
  });
});
