import { expect } from "playwright/test";
import { describe } from "vitest";
import { test } from "../shop-test.ts";
import { desktop } from "../viewports.ts";
import { openExample } from "./open-example.ts";

describe("a text link", () => {
  test("opens an external address in a new tab that knows no referrer", async ({ newPage, shop }) => {
    const page = await newPage(desktop);
    await page
      .context()
      .route("https://example.com/", (route) =>
        route.fulfill({ contentType: "text/html", body: `<link rel="icon" href="data:,"><p>Elsewhere</p>` }),
      );
    const link = (await openExample(page, shop, "text-link", "external")).getByRole("link");
    const opened = page.context().waitForEvent("page");
    await link.click();
    const tab = await opened;
    await tab.waitForLoadState();
    expect(await tab.evaluate(() => [document.referrer, window.opener])).toEqual(["", null]);
  });

  test("flows with the text around it", async ({ sharedPage, shop }) => {
    const page = await sharedPage(desktop);
    const link = (await openExample(page, shop, "text-link", "in a text")).getByRole("link");
    expect(await link.evaluate((element) => element.getClientRects().length)).toBeGreaterThan(1);
  });

  test.for(["small", "medium", "large"])(
    "of size %s is at least 24 px high to hit",
    async (size, { sharedPage, shop }) => {
      const page = await sharedPage(desktop);
      const link = (await openExample(page, shop, "text-link", `size ${size}`)).getByRole("link");
      expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(24);
    },
  );
});
