import type { IncomingMessage } from "node:http";
import { inject, it, onTestFinished } from "vitest";
import { writeToken } from "../client/features/session/write-token.ts";
import { json } from "../support/start-stub.ts";
import { anySite } from "./chosen-sites.ts";
import { expect } from "./expect.ts";
import { openUndriven } from "./launch-browser.ts";
import { startShop } from "./start-shop.ts";

interface Asked {
  path: string;
  of: "prerendered" | "opened";
}

it("a prerendered page asks for nothing of its visitor's and reports nothing before the visitor opens it", async () => {
  const asked: Asked[] = [];
  const shop = await startShop({
    watch: (listener) => (request, response) => {
      asked.push({ path: request.url ?? "", of: pageOf(request) });
      listener(request, response);
    },
  });
  onTestFinished(() => shop.close());
  const address = (path: string) => shop.address(anySite, path);
  const footer = await (
    await fetch(`${shop.listener}/fragments/footer/${anySite.site}?variant=footer-promotion:A`)
  ).text();
  const prerendered = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();

  shop.answer(address("/start"), (_request, response) => {
    // The cookies of a session that is due for renewal, and of staff.
    for (const cookie of [`LoginToken=${writeToken({ ren: -60, exp: 600 })}`, "preview=1"])
      response.appendHeader("Set-Cookie", `${cookie}; Path=/`);
    response.setHeader("Content-Type", "text/html").end(startPage);
  });
  shop.answer(address("/opened"), (_request, response) => {
    response.setHeader("Content-Type", "text/html").end(openedPage(footer));
  });
  // The service would remove the token of nobody's session, perhaps before the page asks to renew it.
  for (const call of ["newsletter-status", "base-data"])
    shop.answer(address(`/service/newsletter/api/private/customers/${call}`), json("{}"));
  shop.answer(address("/prerendered"), (_request, response) => {
    response.end();
    prerendered.resolve();
  });
  shop.answer(address("/when-prerendered"), async (_request, response) => {
    await prerendered.promise;
    response.end();
  });
  shop.answer(address("/tracked?experiment_impression"), (_request, response) => void response.end());
  shop.answer(address("/activated"), (_request, response) => {
    response.end();
    opened.resolve();
  });

  onTestFinished(await openUndriven(inject("browserPath"), address("/start")));
  await opened.promise;
  expect(asked.filter(({ path, of }) => of === "prerendered" && calls.test(path))).toEqual([]);
  const called = ["abtestfrontend", "login", "newsletter", "preview"].map((service) => ({
    path: expect.stringContaining(`/service/${service}/`),
    of: "opened",
  }));
  await expect.poll(() => asked, "with everything that was asked").toEqual(expect.arrayContaining(called));
  const tracked = () => asked.filter(({ path }) => path.startsWith("/tracked"));
  await expect.poll(tracked).toEqual([{ path: "/tracked?experiment_impression", of: "opened" }]);
  expect(asked.filter(({ path }) => path === "/opened")).toEqual([{ path: "/opened", of: "prerendered" }]);
});

/** The calls of services, unlike the pictures beside them. */
const calls = /^\/service\/.*\/api\//;

/** https://html.spec.whatwg.org/multipage/speculative-loading.html#the-sec-purpose-header */
function pageOf({ headers }: IncomingMessage): Asked["of"] {
  return headers["sec-purpose"] === "prefetch;prerender" ? "prerendered" : "opened";
}

/** Makes the browser prerender the other page, and opens it when its scripts have run. */
const startPage = `<!doctype html>
<script type="speculationrules">{ "prerender": [{ "urls": ["/opened"], "eagerness": "immediate" }] }</script>
<script type="module">
  await fetch("/when-prerendered");
  location.href = "/opened";
</script>`;

/** Reports when the scripts of its footer have run, and when it is opened. */
const openedPage = (footer: string) => `<!doctype html>
<script>addEventListener("storefront:tracking", ({ detail }) => fetch("/tracked?" + detail.event))</script>
${footer}
<script type="module">
  if (document.prerendering) {
    document.addEventListener("prerenderingchange", () => fetch("/activated"));
    // The browser's own comes before or after the page is opened.
    dispatchEvent(new Event("load"));
    await fetch("/prerendered");
  }
</script>`;
