import { load } from "cheerio";
import { decodeJwt } from "jose";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { hour, minute } from "../../../../../client/rules/time.ts";
import { type Jar, keep } from "../../../../support/cookie-jar.ts";
import { pass, stopTime } from "../../../../support/login-test.ts";
import { markupFaults } from "../../../../support/markup-faults.ts";
import {
  base,
  call,
  choose,
  christmas,
  cookiesOf,
  header,
  password,
  signIn,
  summer,
  user,
} from "../../../../support/preview-test.ts";
import { createTestApp, sites } from "../../../../support/test-app.ts";

const { app, deps, logs } = await createTestApp({ trustProxy: ["loopback"] });
const { db } = deps.store;
const path = "/category/coffee?page=2#top";
const share = (jar: Jar, body: object = { path }) => call(app, `${base}/share`, jar).send(body);
const tokenFor = async (jar: Jar) => new URL((await share(jar).expect(200)).body.url).searchParams.get("share") ?? "";
const open = (token: unknown, jar: Jar = {}) =>
  request(app)
    .get("/preview")
    .query({ share: token })
    .set({ Host: "de.localhost", Cookie: header(jar) });
const post = (fields: object) =>
  request(app)
    .post("/preview")
    .set({ Host: "de.localhost", "Sec-Fetch-Site": "same-origin" })
    .type("form")
    .send({ user, ...fields });
const previewOf = async (jar: Jar) => {
  const { body } = await request(app).get(`${base}/auth/checkauth`).set("Cookie", header(jar)).expect(200);
  return [body.dateTime, body.abTestGroup];
};

stopTime();
const sharing = await choose(app, await signIn(app, db), christmas, "B");
const token = await tokenFor(sharing);
const forged = `${token.slice(0, -9)}AAAAAAAAA`;

it.each(sites)("a link to $site has the site's own origin, whatever the Host header, and the preview", async (site) => {
  for (const headers of [{ Host: `${site.localHost}:6666` }, { Host: "192.0.2.7", "X-Site": site.site }]) {
    const { body } = await share(sharing).set(headers).expect(200);
    expect(body.url.startsWith(`${site.origin}/preview?share=`)).toBe(true);
    expect(Date.parse(body.expiresAt)).toBe(Math.floor((Date.now() + 72 * hour) / 1000) * 1000);
    const claims = decodeJwt(new URL(body.url).searchParams.get("share") ?? "");
    expect(claims).toMatchObject({ time: Date.parse(christmas), test: "footer-promotion", group: "B", path });
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
    ...["//evil.example", "/\\evil.example", "/.//evil.example", "https://evil.example/", 1, null, ["/bag"], undefined],
  ])("rejects a path of another site, or one that browsers write differently: %j", async (wrong) => {
    const { body } = await share(sharing, { path: wrong }).expect(400);
    const errors = [{ field: "path", message: expect.stringMatching(/^must be/) }];
    expect(body).toEqual({ status: "BAD_REQUEST", errors });
  });
});

describe("opening a link", () => {
  it("starts the preview after a sign-in without script, in a session of one's own", async () => {
    const $ = load((await open(token).expect(200)).text);
    expect([$(".sf-notification").length, $("[name=share]").attr("type")]).toEqual([0, "hidden"]);
    const wrong = await post({ share: $("[name=share]").val(), password: "wrong password" }).expect(422);
    expect(load(wrong.text)("[name=share]").val()).toBe(token);
    const right = await post({ share: token, password }).expect(303);
    expect(right.headers.location).toBe(`/preview?share=${token}`);
    const jar = keep({}, cookiesOf(right));
    const opened = await open(token, jar).expect(303);
    expect(opened.headers).toMatchObject({ location: path, "cache-control": "private, no-store" });
    await call(app, `${base}/auth/logout`, sharing).expect(200);
    expect(await previewOf(keep(jar, cookiesOf(opened)))).toEqual([christmas, "B"]);
  });

  it("drops a group whose test has ended", async () => {
    const ending = await choose(app, await signIn(app, db), summer, "B");
    const link = await tokenFor(ending);
    const tests = db.updateTable("abTest");
    await tests.set({ validTo: Date.parse(summer) }).execute();
    const opened = await open(link, ending).expect(303);
    expect(await previewOf(keep(ending, cookiesOf(opened)))).toEqual([summer, ""]);
    await tests.set({ validTo: null }).execute();
  });

  it.each([forged, "", "x.y.z", "//evil.example", sharing.PreviewContext, [token, token]])(
    "offers to sign in when it is invalid: %j",
    async (bad) => {
      const text = deps.texts.translator("de-DE", "preview");
      for (const jar of [{}, await signIn(app, db)]) {
        const { text: html, headers } = await open(bad, jar).expect(410);
        expect(headers).not.toHaveProperty("location");
        const $ = load(html);
        expect($(".sf-notification").text()).toContain(text("signIn.badLink"));
        expect($("[name=share]")).toHaveLength(0);
        expect(markupFaults(html)).toEqual([]);
      }
      expect((await post({ password, share: bad }).expect(303)).headers.location).toBe("/");
    },
  );

  it("is all that its token is good for", async () => {
    expect(await previewOf({ ...(await signIn(app, db)), PreviewContext: token })).not.toContain(christmas);
  });

  it("isn't logged", async () => {
    logs.length = 0;
    for (const shown of [token, forged]) {
      await open(shown);
      await post({ password: "wrong password", share: shown });
      await post({ password, share: shown });
    }
    await expect.poll(() => logs.filter(({ route }) => route === "/preview").length).toBe(6);
    const text = JSON.stringify(logs);
    for (const secret of [token, forged, "share=", "/category"]) expect(text).not.toContain(secret);
  });

  it("is possible for 72 hours", async () => {
    const link = await tokenFor(await choose(app, await signIn(app, db), christmas));
    pass(72 * hour - minute);
    await open(link, await signIn(app, db)).expect(303);
    pass(2 * minute);
    await open(link, await signIn(app, db)).expect(410);
  });
});
