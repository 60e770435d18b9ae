import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text as readAll } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { startMisbehavingProvider } from "../../../../support/misbehaving-provider.ts";
import { client, createProviderApp, createShopVisitor } from "../../../../support/provider-login-test.ts";
import { siteOf } from "../../../../support/test-app.ts";

const site = siteOf("DE");

async function openShop() {
  const provider = await startMisbehavingProvider(client);
  return { provider, ...(await createProviderApp(provider.issuer)) };
}

describe("request targets", () => {
  it.each([
    "http://other.example/login/callback?code=a&state=b",
    "http://a:b/login/callback?code=a&state=b",
    "http://[/login/callback?code=a&state=b",
    "http:///login/callback?code=a&state=b",
    "//other.example/login/callback?code=a&state=b",
    "/login/callback?code=%00%ff&state=%ed%a0%80",
    "/login/callback/?code=a&state=b",
    "/login/callback?state[]=a&state[__proto__]=b",
    "http://other.example/login?redirect=//other.example",
    "http://a:b/login",
    "http://a:b/preview",
    "http://a:b/preview/callback?x",
    "http://[/login",
    "http://a:b/",
    "http://a:b/logout",
    "http://a:b/subscribenewsletter",
  ])("%s", async (target) => {
    const { listener } = await openShop();
    const server = createServer(listener).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    socket.write(`GET ${target} HTTP/1.1\r\nHost: ${site.localHost}\r\nConnection: close\r\n\r\n`);
    const answer = await readAll(socket);
    const [head = ""] = answer.split("\r\n\r\n");
    console.info(target, head.split("\r\n").filter((line) => /^HTTP|^location|^set-cookie|^referrer/i.test(line)).map(l=>l.slice(0,200)));
  });
});
