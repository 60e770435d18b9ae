import { afterAll, describe, expect } from "vitest";
import { anySite } from "../../browser/chosen-sites.ts";
import type { ShopOptions } from "../../browser/start-shop.ts";
import { writeToken } from "../../client/features/session/write-token.ts";
import { type IdentityProvider, startIdentityProvider } from "../../support/identity-provider.ts";
import { client } from "../../support/provider-login-test.ts";
import { texts } from "../../support/test-app.ts";
import { test as base } from "../engine-test.ts";

const site = anySite;
const email = "ada@shop.example";
const renewal = "POST /service/login/api/v1/logintoken/renew";

let idp: IdentityProvider | undefined;
afterAll(() => idp?.stop());

const test = base.extend("startProviders", { scope: "file" }, (): ShopOptions["startProviders"] => async (port) => {
  const origin = `http://${site.localHost.replace(/:\d+$/, "")}:${port}`;
  const addresses = { callbacks: [`${origin}/login/callback`], afterLogout: [`${origin}/`] };
  const backchannelLogout = `http://127.0.0.1:${port}/login/backchannel-logout`;
  idp = await startIdentityProvider({
    clients: [{ ...client, ...addresses, backchannelLogout }],
    people: [{ email, givenName: "Ada" }],
  });
  return new Map([[site.site, { issuer: idp.issuer, clientId: client.id, clientSecret: client.secret }]]);
});

describe("a customer of a site with an identity provider", () => {
  const greeting = texts.translator(site.locale, "page", { name: "Ada" })("account.signedIn");

  test("signs in there, stays signed in on two pages, is signed out by it, and signs out", async ({
    driver,
    shop,
    visitor,
  }) => {
    const home = shop.address(site);
    const makeDue = async () => {
      const due = writeToken({ ren: -60, exp: 600, lid: "1" });
      shop.takeRequests();
      await driver.evaluate(`document.cookie = "LoginToken=${due}; path=/"`);
      return due;
    };
    const cookies = () => driver.evaluate("document.cookie");
    await visitor.open(home);
    await visitor.click("header a[href*='/login']");
    await expect.poll(() => visitor.address()).toContain(idp?.issuer);
    await visitor.write("[name=email]", email);
    await visitor.click("button");
    await expect.poll(() => visitor.text("header")).toContain(greeting);
    expect(await visitor.address()).toBe(home);

    // A tab in the background renews nothing, so the second page is beside the first one.
    await driver.evaluate("document.body.append(Object.assign(document.createElement('iframe'), { src: '/' }))");
    await expect.poll(() => driver.evaluate("frames[0].document.readyState")).toBe("complete");
    const asked = idp?.requests.length ?? 0;
    const due = await makeDue();
    await driver.evaluate("[frames[0], window].forEach((page) => page.dispatchEvent(new KeyboardEvent('keydown')))");
    await expect.poll(cookies).not.toContain(due);
    await expect.poll(shop.isIdle).toBe(true);
    expect(shop.takeRequests()).toContain(renewal);
    expect(idp?.requests.slice(asked)).toEqual(["POST /token"]);
    await driver.evaluate("document.querySelector('body > iframe').remove()");

    await idp?.endByBackchannel(client.id, email);
    await makeDue();
    await visitor.press("Tab");
    await expect.poll(cookies).not.toContain("LoginToken");
    expect(shop.takeFaults()).toEqual([`401: ${renewal}`]);

    // The provider still knows the customer, so it asks nothing.
    await visitor.open(shop.address(site, "/login"));
    await expect.poll(() => visitor.text("header")).toContain(greeting);
    await visitor.click("header form[action='/logout'] button");
    await expect.poll(() => visitor.address()).toContain(idp?.issuer);
    await visitor.click("[name=logout]");
    await expect.poll(() => visitor.isShown("header a[href*='/login']")).toBe(true);
    expect(await visitor.address()).toBe(home);
    expect(await cookies()).not.toContain("LoginToken");
  });
});
