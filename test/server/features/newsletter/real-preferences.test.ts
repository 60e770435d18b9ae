import type { ServerResponse } from "node:http";
import { json as readJson } from "node:stream/consumers";
import { load } from "cheerio";
import { describe, expect, it } from "vitest";
import { blockText, openPage, sendForm } from "../../../support/newsletter-pages.ts";
import { json, startStub, status } from "../../../support/start-stub.ts";
import { createTestApp, siteOf, texts } from "../../../support/test-app.ts";

const path = "/newsletter/preferences";
const token = "t".repeat(32);
const subscription = `/service/newsletter/api/internal/newsletter-subscribers/${token}`;
const site = siteOf("PL");
const page = texts.translator(site.locale, "preferences");

const chosen = {
  status: "SUBSCRIBED",
  firstName: "Ada",
  consents: ["NEWSLETTER"],
  categories: ["COFFEE", "SHOES"],
  segment: "a field of its own",
};

/** Opens a shop whose real newsletter service answers the two calls of the page. */
async function openShop(read: Parameters<typeof startStub>[0], change = json("{}")) {
  const changes: unknown[] = [];
  const stub = await startStub(async (request, response) => {
    if (request.method === "GET") return read(request, response);
    changes.push({ call: `${request.method} ${request.url}`, body: await readJson(request) });
    return change(request, response);
  });
  const { app } = await createTestApp({ upstreams: { newsletter: stub.origin } });
  return { app, stub, changes };
}

describe("the subscriber's page of a real service", () => {
  it("shows what the service knows, and tells it what has changed", async () => {
    const { app, stub, changes } = await openShop(json(JSON.stringify(chosen)));
    const $ = load((await openPage(app, `${path}?token=${token}`, site).expect(200)).text);
    expect($("main [name=firstName]").val()).toBe("Ada");
    expect($("main [name=categories]:checked").val()).toBe("COFFEE");
    expect($("main form[action='/newsletter/unsubscribe'] [name=token]").val()).toBe(token);
    expect(stub.requests[0]).toMatchObject({ url: `${subscription}/preferences`, headers: { "x-site": "PL" } });

    const fields = { token, salutation: "", firstName: "Eva", lastName: "", categories: "STORE", consents: "DNE" };
    const { headers } = await sendForm(app, path, fields, { Host: site.localHost }).expect(303);
    expect(headers.location).toBe(`${path}?token=${token}&saved=`);
    const body = {
      salutation: null,
      firstName: "Eva",
      lastName: "",
      categories: ["STORE"],
      consents: ["NEWSLETTER", "DNE"],
    };
    expect(changes).toEqual([{ call: `PUT ${subscription}`, body }]);
  });

  it("says which names the service refuses, and that a subscription has ended", async () => {
    const refusal = JSON.stringify({ type: "INVALID_REQUEST", errors: [{ field: "firstName", message: "too odd" }] });
    const { app } = await openShop(json(JSON.stringify(chosen)), json(refusal, 400));
    const fields = { token, firstName: "Odd", lastName: "" };
    const $ = load((await sendForm(app, path, fields, { Host: site.localHost }).expect(422)).text);
    expect($("main [name=firstName]").val()).toBe("Odd");
    expect($("main").text()).toContain(blockText(site)("error.name.invalid"));

    const ended = await openShop(json('{"status":"UNSUBSCRIBED"}'));
    const answer = await openPage(ended.app, `${path}?token=${token}`, site).expect(200);
    expect(load(answer.text)("main").text()).toContain(page("ended.text"));
  });

  it.each([
    ["lacks the call", status(404)],
    ["knows no such method", status(405)],
    ["knows the token no more", status(410)],
    ["fails", status(500)],
    ["answers something else", json('{"status":"ACTIVE"}')],
    ["answers with a page", (_request: unknown, response: ServerResponse) => void response.end("<!doctype html>")],
  ])("is the page that unsubscribes if the service %s", async (_what, listener) => {
    const { app } = await openShop(listener);
    const unsubscribe = `/newsletter/unsubscribe?token=${token}`;
    await openPage(app, `${path}?token=${token}`, site).expect(303).expect("Location", unsubscribe);
    await sendForm(app, path, { token, firstName: "Eva" }, { Host: site.localHost }).expect("Location", unsubscribe);
  });

  it("sends nobody a link, as the service has no call for it", async () => {
    const { app, stub } = await openShop(json(JSON.stringify(chosen)));
    await openPage(app, path, site).expect(303).expect("Location", "/newsletter/unsubscribe?token=");
    await sendForm(app, path, { email: "ada@shop.example" }, { Host: site.localHost }).expect(404);
    expect(stub.requests).toEqual([]);
  });
});
