import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import esbuild from "esbuild";
import express from "express";
import helmet from "helmet";
import type { Page } from "playwright";
import { describe } from "vitest";
import { second } from "../../client/rules/time.ts";
import { storefront } from "../../packages/client/express.ts";
import { createFragments } from "../../packages/client/index.ts";
import { answerRequests } from "./answer-requests.ts";
import { anySite } from "./chosen-sites.ts";
import { expect } from "./expect.ts";
import { test } from "./shop-test.ts";
import type { Shop } from "./start-shop.ts";
import { desktop } from "./viewports.ts";

/** Expects a footer with its stylesheet, whose script loads what the newsletter needs. */
async function expectFooter(page: Page) {
  await expect(page.locator("footer[data-fragment=footer]")).toHaveCSS("display", "block");
  const island = page.locator("[data-island=newsletter]");
  await island.locator("[name=email]").focus();
  await expect(island).toHaveAttribute("data-island-state", "ready");
}

const pageOf = ({ head, footer }: { head: string; footer: string }) =>
  `<!doctype html><html lang="de"><head><title>Host</title><link rel="icon" href="data:,">${head}</head><body>${footer}</body></html>`;

describe("middleware for Express", () => {
  test.for([
    ["sources", null],
    ["a nonce and 'strict-dynamic'", "'strict-dynamic'"],
  ] as const)("includes a footer that works under a strict policy with %s", async ([, keyword], { newPage, shop }) => {
    const fragments = createFragments({ service: shop.listener });
    const app = express()
      .use((_request, { locals }, next) => {
        locals.nonce = randomBytes(16).toString("base64");
        next();
      })
      .use((request, response, next) => {
        const nonce = `'nonce-${response.locals.nonce}'`;
        const directives = {
          defaultSrc: ["'none'"],
          imgSrc: ["data:"],
          formAction: ["'none'"],
          scriptSrc: keyword && [nonce, keyword],
        };
        helmet({ contentSecurityPolicy: { useDefaults: false, directives } })(request, response, next);
      })
      .use(storefront(fragments, { site: anySite.site, nonce: (_request, { locals }) => String(locals.nonce) }))
      .use((_request, response) => void response.send(pageOf(response.locals.storefront)));
    const address = shop.address(anySite, "/express");
    shop.answer(address, app);
    const page = await newPage(desktop);
    await page.goto(address);
    await expectFooter(page);
  });
});

describe("a host that doesn't forward a path", () => {
  test("says so once, at the end of the footer, under a strict policy", async ({ newPage, shop }) => {
    const fragments = createFragments({ service: shop.listener, deadline: 10 * second });
    const directives = { defaultSrc: ["'none'"], imgSrc: ["data:"] };
    const app = express()
      .use(helmet({ contentSecurityPolicy: { useDefaults: false, directives } }))
      .get("/login", (_request, response) => void response.send("the host's login"))
      .use(storefront(fragments, { site: anySite.site }))
      .use((_request, response) => void response.send(pageOf(response.locals.storefront)));
    const server = createServer(app).listen(0, "127.0.0.1");
    await once(server, "listening");
    const page = await newPage(desktop);
    await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`);
    await expectFooter(page);
    const note = page.locator("[data-storefront-note]");
    await expect(note).toHaveCount(1);
    await expect(note).toBeVisible();
    await expect(note).toContainText("doesn’t forward /login to the service");
    await expect(page.locator("footer[data-fragment=footer] + [data-storefront-note]")).toHaveCount(1);
    server.close().closeAllConnections();
  });
});

describe("the element", () => {
  test("shows a footer under a strict policy, once, also after it has moved", async ({ newPage, shop }) => {
    const page = await newPage(desktop);
    await openElement(
      page,
      shop,
      `<storefront-footer site="${anySite.site}" newsletter="true">before</storefront-footer>`,
    );
    await expectFooter(page);
    const element = page.locator("storefront-footer");
    await expect(element).not.toContainText("before");
    await page.locator("[name=email]").fill("anna@example.com");
    await element.evaluate((moved) => document.body.append(document.createElement("main"), moved));
    await expect(page.locator("[name=email]")).toHaveValue("anna@example.com");
    await element.evaluate((changed) => changed.setAttribute("reduced", ""));
    await expect(page.locator("footer[data-reduced=true]")).toBeVisible();
    await expect(page.locator("script[src*=boot]")).toHaveCount(1);
  });

  test("keeps its content while there is no fragment", async ({ shop, unwatchedPage }) => {
    const page = await unwatchedPage(desktop);
    await answerRequests(page, "*/fragments/*", (request) => request.abort());
    const warning = page.waitForEvent("console", { predicate: (message) => message.type() === "warning" });
    await openElement(
      page,
      shop,
      `<storefront-footer site="${anySite.site}"><a href="/imprint">Imprint</a></storefront-footer>`,
    );
    expect((await warning).text()).toContain("the footer of");
    await expect(page.getByRole("link", { name: "Imprint" })).toBeVisible();
  });
});

/** Opens a page that no composer has made, and that defines the elements. */
async function openElement(page: Page, shop: Shop, content: string) {
  const { outputFiles } = await esbuild.build({
    stdin: {
      contents: 'import { defineStorefrontElements } from "./packages/client/element.ts"; defineStorefrontElements();',
      resolveDir: ".",
    },
    bundle: true,
    format: "esm",
    write: false,
  });
  const script = shop.address(anySite, "/host.js");
  shop.answer(script, (_request, response) => {
    response.setHeader("Content-Type", "text/javascript").end(outputFiles[0]?.contents);
  });
  const address = shop.address(anySite, "/element");
  const sources = "script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'";
  const policy = `default-src 'none'; ${sources}; require-trusted-types-for 'script'; trusted-types storefront-fragments`;
  shop.answer(address, (_request, response) => {
    response.setHeader("Content-Security-Policy", policy).setHeader("Content-Type", "text/html; charset=utf-8");
    response.end(
      `<!doctype html><html lang="de"><head><title>Host</title><link rel="icon" href="data:,"><script type="module" src="/host.js"></script></head><body>${content}</body></html>`,
    );
  });
  await page.goto(address);
}
