import { decodeJwt, decodeProtectedHeader } from "jose";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { hour, minute } from "../../../../../client/rules/time.ts";
import { type Jar, keep } from "../../../../support/cookie-jar.ts";
import { pass, stopTime } from "../../../../support/login-test.ts";
import { base, call, choose, christmas, cookiesOf, header, signIn, summer } from "../../../../support/preview-test.ts";
import { createTestApp, sites } from "../../../../support/test-app.ts";

const { app, deps } = await createTestApp({ trustProxy: ["loopback"] });
const { db } = deps.store;
const path = "/category/coffee?page=2#top";
const share = (jar: Jar, body: object = { path }) => call(app, `${base}/share`, jar).send(body);
const tokenOf = (url: string) => new URL(url).searchParams.get("share") ?? "";
const open = (token: string, jar: Jar) =>
  request(app)
    .get("/preview")
    .query({ share: token })
    .set({ Host: "de.localhost", Cookie: header(jar) });
const previewOf = async (jar: Jar) => {
  const { body } = await request(app).get(`${base}/auth/checkauth`).set("Cookie", header(jar)).expect(200);
  return [body.dateTime, body.abTestGroup];
};

stopTime();
const sharing = await choose(app, await signIn(app, db), christmas, "B");

it.each(sites)("a link to $site has the site's own origin, whatever the Host header, and the preview", async (site) => {
  for (const headers of [{ Host: `${site.localHost}:6666` }, { Host: "evil.example", "X-Site": site.site }]) {
    const { body } = await share(sharing).set(headers).expect(200);
    expect(body).toEqual({ status: "SUCCESS", url: expect.any(String), expiresAt: expect.any(String) });
    expect(body.url.startsWith(`${site.origin}/preview?share=`)).toBe(true);
    const token = tokenOf(body.url);
    const { exp = 0, iat = 0, ...claims } = decodeJwt(token);
    expect(claims).toMatchObject({ time: Date.parse(christmas), test: "footer-promotion", group: "B", path });
    expect([exp - iat, exp * 1000]).toEqual([72 * 3600, Date.parse(body.expiresAt)]);
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: "HS256", typ: "preview-share+jwt" });
    expect(JSON.stringify(claims)).not.toMatch(/sid|staff@/);
  }
});

describe("sharing a preview", () => {
  it("needs signed-in staff with a preview of their own session", async () => {
    await share({}).expect(401, { status: "UNAUTHORIZED" });
    const jar = await signIn(app, db);
    await share(jar).expect(400, { status: "BAD_REQUEST" });
    await share({ ...jar, PreviewContext: sharing.PreviewContext ?? "" }).expect(400, { status: "BAD_REQUEST" });
  });

  it.each([
    ...["", "category", "/preview", "/./bag", "/ä", `/${"a".repeat(1_000)}`, "https://de.localhost/bag"],
    ...["//evil.example", "/\\evil.example", "/.//evil.example", "https://evil.example/", "javascript:alert(1)"],
    ...[1, null, ["/bag"], undefined],
  ])("rejects a path of another site, or one that browsers write differently: %j", async (wrong) => {
    const { body } = await share(sharing, { path: wrong }).expect(400);
    const errors = [{ field: "path", message: expect.stringMatching(/^must be/) }];
    expect(body).toEqual({ status: "BAD_REQUEST", errors });
  });
});

describe("opening a link", () => {
  it("starts the preview in the caller's own session", async () => {
    const jar = await signIn(app, db);
    const sharer = await choose(app, jar, christmas, "B");
    const { url } = (await share(sharer).expect(200)).body;
    const other = await signIn(app, db, "other@shop.example");
    const opened = await open(tokenOf(url), other).expect(303);
    expect(opened.headers.location).toBe(path);
    const previewing = keep(other, cookiesOf(opened));
    await call(app, `${base}/auth/logout`, jar).expect(200);
    expect(await previewOf(previewing)).toEqual([christmas, "B"]);
  });

  it("drops a group whose test has ended", async () => {
    const ending = await choose(app, await signIn(app, db), summer, "B");
    const { url } = (await share(ending).expect(200)).body;
    const tests = db.updateTable("abTest");
    await tests.set({ validTo: Date.parse(summer) }).execute();
    const opened = await open(tokenOf(url), ending).expect(303);
    expect(await previewOf(keep(ending, cookiesOf(opened)))).toEqual([summer, ""]);
    await tests.set({ validTo: null }).execute();
  });

  it("is all that its token is good for", async () => {
    const token = tokenOf((await share(sharing).expect(200)).body.url);
    expect(await previewOf({ ...sharing, PreviewContext: token })).not.toContain(christmas);
  });

  it("is possible for 72 hours", async () => {
    const { url } = (await share(sharing).expect(200)).body;
    pass(72 * hour - minute);
    await open(tokenOf(url), await signIn(app, db)).expect(303);
    pass(2 * minute);
    await open(tokenOf(url), await signIn(app, db)).expect(410);
  });
});
