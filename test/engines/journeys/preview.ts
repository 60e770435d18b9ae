import { describe, expect } from "vitest";
import panelTexts from "../../../locales/en/preview-panel.json" with { type: "json" };
import { centralEuropeanSite } from "../../browser/chosen-sites.ts";
import { texts } from "../../support/test-app.ts";
import { password, staff, test } from "../engine-test.ts";

const login = "form[action='/preview']";
const footer = "footer[data-fragment=footer]";
const state = ".sf-preview-state";
const openSettings = ".sf-preview-actions button:last-child";
const settings = "dialog[open] .sf-preview-settings";

describe("staff", () => {
  const site = centralEuropeanSite;
  const text = texts.translator(site.locale, "demo");

  test("sign in, see the shop as on Christmas Eve in group B, and log out", async ({ shop, visitor }) => {
    await visitor.open(shop.address(site, "/preview"));
    await visitor.write(`${login} [name=user]`, staff);
    await visitor.write(`${login} [name=password]`, password);
    await visitor.click(`${login} [type=submit]`);
    await expect.poll(() => visitor.text(state)).toContain(panelTexts["state.live"]);

    await visitor.click(openSettings);
    await visitor.choose(`${settings} [type=date]`, "2026-12-24");
    await visitor.choose(`${settings} [type=time]`, "18:00");
    await visitor.click(`${settings} summary`);
    await expect.poll(() => visitor.look(`${settings} [name=test]`, (list) => list.childElementCount)).toBe(3);
    await visitor.choose(`${settings} [name=test]`, "footer-promotion");
    await visitor.choose(`${settings} [name=group]`, "B");
    await visitor.click(`${settings} [type=submit]`);
    await expect.poll(() => visitor.text(settings)).toContain(panelTexts["apply.success"]);

    shop.takeRequests();
    await visitor.press("Escape");
    await expect.poll(() => visitor.look(footer, ({ dataset }) => dataset.previewContext)).toBe("true");
    await expect.poll(() => visitor.text(state)).toMatch(/24 Dec 2026, 18:00 CET\s+footer-promotion: B/);
    expect(await visitor.text("[data-section=promotion]")).toContain(text("coffeeGifts.headline"));

    // The panel's own calls need the cookies that the logout removes.
    const asked: string[] = [];
    const isSettled = () => {
      asked.push(...shop.takeRequests());
      return asked.includes("GET /service/preview/api/changes") && shop.isIdle();
    };
    await expect.poll(isSettled).toBe(true);
    await visitor.click(openSettings);
    await visitor.click(`${settings} .sf-preview-buttons [type=button]`);
    await expect.poll(() => visitor.isShown(`${footer}:not([data-preview-context])`)).toBe(true);
    expect(await visitor.isShown(state)).toBe(false);
  });
});
