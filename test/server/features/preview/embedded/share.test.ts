import { decodeJwt, decodeProtectedHeader } from "jose";
import { describe, expect, it } from "vitest";
import { minute } from "../../../../../client/rules/time.ts";
import type { PreviewRequest } from "../../../../../server/features/preview/service.ts";
import { type Jar, keep } from "../../../../support/login-test.ts";
import {
  base,
  call,
  callerWith,
  choose,
  chosen,
  christmas,
  openPreview,
  type PreviewBench,
  signedIn,
  signIn,
  summer,
} from "../../../../support/preview-test.ts";
import { createTestApp, sites } from "../../../../support/test-app.ts";

const { app, deps } = await createTestApp({ trustProxy: ["loopback"] });
const { db } = deps.store;
const path = "/category/coffee?page=2#top";
const share = (jar: Jar, body: object = { path }) => call(app, `${base}/share`, jar).send(body);
const tokenOf = (url: string) => new URL(url).searchParams.get("share") ?? "";
const hour = 60 * minute;

const sharing = await choose(app, await signIn(app, db), christmas, "B");

describe.each(sites)("a link to a preview of $site", ({ site, origin, localHost }) => {
  it("has the site's own origin, whatever the Host header, and the preview", async () => {
    for (const headers of [{ Host: `${localHost}:6666` }, { Host: "evil.example", "X-Site": site }]) {
      const { body } = await share(sharing).set(headers).expect(200);
      expect(body).toEqual({ status: "SUCCESS", url: expect.any(String), expiresAt: expect.any(String) });
      expect(body.url.startsWith(`${origin}/preview?share=`)).toBe(true);
      const token = tokenOf(body.url);
      const { exp = 0, iat = 0, ...claims } = decodeJwt(token);
      expect(claims).toMatchObject({ time: Date.parse(christmas), test: "footer-promotion", group: "B", path });
      expect([exp - iat, exp * 1000]).toEqual([72 * 3600, Date.parse(body.expiresAt)]);
      expect(decodeProtectedHeader(token)).toMatchObject({ alg: "HS256", typ: "preview-share+jwt" });
      expect(JSON.stringify(claims)).not.toMatch(/sid|staff@/);
    }
  });
});

describe("a link to a preview", () => {
  it("needs signed-in staff with a preview of their own session", async () => {
    await share({}).expect(401, { status: "UNAUTHORIZED" });
    const jar = await signIn(app, db);
    await share(jar).expect(400, { status: "BAD_REQUEST" });
    const { PreviewContext = "" } = await choose(app, await signIn(app, db, "other@shop.example"), christmas);
    await share({ ...jar, PreviewContext }).expect(400, { status: "BAD_REQUEST" });
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

  it.each(["/", "/bag", "/a/b?c=d&e=%2F"])("accepts %s", async (right) => {
    await share(sharing, { path: right }).expect(200);
  });
});

/** Something chosen and shared by one member of staff, for the browser of another. */
async function openShared(request: Partial<PreviewRequest> = {}) {
  const bench = await openPreview();
  const { preview } = bench;
  const asked = { previewDateTime: christmas, test: "footer-promotion", group: "B", ...request };
  const jar = await signedIn(bench);
  const sharing = await chosen(bench, jar, asked);
  const [site] = sites;
  if (!site) throw new Error("there is no site");
  const shared = await preview.share({ path, site }, callerWith(sharing).cookies);
  if (shared.status !== "shared") throw new Error(`sharing ended with ${shared.status}`);
  return { ...bench, token: tokenOf(shared.url), sharing };
}

async function open({ preview }: PreviewBench, token: string, jar: Jar) {
  const opened = await preview.openShare(token, callerWith(jar));
  if (opened.status !== "opened") throw new Error(`opening ended with ${opened.status}`);
  return { path: opened.path, jar: keep(jar, opened.cookies) };
}

describe("opening a link", () => {
  it("starts the preview in the caller's own session", async () => {
    const bench = await openShared();
    const { jar, path: target } = await open(bench, bench.token, await signedIn(bench));
    expect(target).toBe(path);
    expect(await bench.preview.chosen(callerWith(jar).cookies)).toEqual({
      ...{ at: Date.parse(christmas), selection: { test: "footer-promotion", group: "B" } },
    });
    await bench.preview.logout(callerWith(bench.sharing));
    expect(await bench.preview.chosen(callerWith(jar).cookies)).toBeDefined();
    await bench.preview.logout(callerWith(jar));
    expect(await bench.preview.chosen(callerWith(jar).cookies)).toBeUndefined();
  });

  it("drops a group whose test has ended", async () => {
    const bench = await openShared({ previewDateTime: summer });
    await bench.db
      .updateTable("abTest")
      .set({ validTo: Date.parse(summer) })
      .execute();
    const { jar } = await open(bench, bench.token, await signedIn(bench));
    expect(await bench.preview.chosen(callerWith(jar).cookies)).toEqual({ at: Date.parse(summer) });
  });

  it("is possible for 72 hours", async () => {
    const bench = await openShared();
    bench.pass(72 * hour - minute);
    const jar = await signedIn(bench);
    await open(bench, bench.token, jar);
    bench.pass(2 * minute);
    expect(await bench.preview.openShare(bench.token, callerWith(jar))).toEqual({ status: "badLink" });
    expect(await bench.preview.isShare(bench.token)).toBe(false);
  });

  it("rejects invalid tokens", async () => {
    const { preview, token, sharing } = await openShared();
    const { PreviewContext, StaffAuthToken } = sharing;
    const wrong = [undefined, "", "x.y.z", `${token.slice(0, -9)}AAAAAAAAA`, PreviewContext, StaffAuthToken];
    for (const bad of wrong) expect(await preview.openShare(bad, callerWith(sharing))).toEqual({ status: "badLink" });
    expect(await preview.chosen({ ...callerWith(sharing).cookies, context: token })).toBeUndefined();
  });
});
