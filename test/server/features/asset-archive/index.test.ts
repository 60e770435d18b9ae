import { mkdtemp, readdir, rm } from "node:fs/promises";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import request from "supertest";
import { describe, expect, it, onTestFinished } from "vitest";
import { day, hour } from "../../../../client/rules/time.ts";
import {
  archive,
  cleanUp,
  hasReplacedImages,
  listImages,
} from "../../../../server/features/asset-archive/embedded/archive.ts";
import { createAssetArchive, listFiles } from "../../../../server/features/asset-archive/index.ts";
import { createVarnish } from "../../../../server/features/edge-purges/forms/varnish.ts";
import { openPurges } from "../../../../server/features/edge-purges/queue/purges.ts";
import { runCommand } from "../../../support/run-command.ts";
import { createTestApp, testLogger } from "../../../support/test-app.ts";
import { openTestStore } from "../../../support/test-store.ts";
import { loadOwnShop, writeShop } from "../../../support/write-shop.ts";

const { app, deps } = await createTestApp();
const { db } = deps.store;
const earlier = new Map([
  ["footer-EARLIER1.css", async () => Buffer.from(".earlier {}")],
  ["footer-EARLIER1.css.br", async () => brotliCompressSync(".earlier {}")],
]);

it("answers a file of an earlier build as it answered its own", async () => {
  await archive(db, earlier, Date.now());
  const own = await request(app).get(deps.assets.url("footer.css")).set("Accept-Encoding", "br");
  const answer = await request(app).get("/assets/footer-EARLIER1.css").set("Accept-Encoding", "br").expect(200);
  for (const name of ["cache-control", "content-type", "content-encoding", "access-control-allow-origin", "vary"])
    expect(answer.headers[name]?.toLowerCase(), name).toBe(own.headers[name]?.toLowerCase());
  const plain = await request(app).get("/assets/footer-EARLIER1.css").set("Accept-Encoding", "identity");
  expect(plain.text).toBe(".earlier {}");
  const again = await request(app)
    .get("/assets/footer-EARLIER1.css")
    .set("If-None-Match", plain.headers.etag ?? "");
  expect(again.status).toBe(304);
  await request(app).get("/assets/footer-UNKNOWN1.css").expect(404);
});

it("keeps requested files in memory, also while the database is away", async () => {
  const store = await openTestStore(testLogger);
  const { app, service } = await createTestApp({ store });
  await archive(store.db, earlier, Date.now());
  const isKnown = (url: string) =>
    service.classify(Object.assign(new IncomingMessage(new Socket()), { method: "GET", url, headers: {} })).load ===
    "cached";
  const [kept, notKept] = ["/assets/footer-EARLIER1.css", "/assets/footer-UNKNOWN1.css"];
  expect(isKnown(kept)).toBe(false);
  await request(app).get(kept).expect(200);
  await request(app).get(notKept).expect(404);
  expect([kept, notKept].map(isKnown)).toEqual([true, false]);
  await store.db.schema.dropTable("archivedAsset").execute();
  expect((await request(app).get(kept).set("Accept-Encoding", "identity").expect(200)).text).toBe(".earlier {}");
  const { status, text } = await request(app).get(notKept).set("Accept", "text/html");
  expect([status, text]).toEqual([503, ""]);
});

it("knows the files of this build, the generated ones and the images, and no made-up name", async () => {
  const { service, deps } = await createTestApp();
  const isKnown = (url: string, method = "GET") =>
    service.classify(Object.assign(new IncomingMessage(new Socket()), { method, url, headers: {} })).load === "cached";
  const logo = [...deps.logos.values()][0];
  const logos = "/service/footer-images/logos";
  const known = [
    ...[deps.assets.url("boot.js"), `${deps.assets.url("boot.js")}?1`, "/assets/inventory.json"],
    ...[...service.newsletter.listContents().keys()].map((name) => `/assets/${name}`),
    ...[`${logos}/${logo?.file}`, `${logos}/${logo?.file}?v=${logo?.hash}`],
    "/service/newsletterfrontend/newslettersubscriptionform/400x300.svg",
  ];
  expect(known.filter((url) => !isKnown(url))).toEqual([]);
  const madeUp = [
    ...["/assets/made-up.js", "/assets/made-up-ABCDEFGH.js", "/assets/", "/assets"],
    ...[`${logos}/made-up.svg`, `${logos}/made-up.svg?v=ABCDEFGH`, `${logos}/${logo?.file}?v=ABCDEFGH`],
    ...["/service/newsletterfrontend/newslettersubscriptionform/made-up.svg", "/", "/login"],
  ];
  expect(madeUp.filter((url) => isKnown(url))).toEqual([]);
  expect(isKnown(deps.assets.url("boot.js"), "POST")).toBe(false);
});

it("looks up few names at once, and refuses others without a body", async () => {
  const ask = (url: string) => {
    const incoming = Object.assign(new IncomingMessage(new Socket()), { method: "GET", url });
    const response = new ServerResponse(incoming);
    return new Promise<[status: number, hasRetryAfter: boolean]>((resolve) => {
      response.end = () => {
        resolve([response.statusCode, response.hasHeader("retry-after")]);
        return response;
      };
      app(incoming, response);
    });
  };
  const atOnce = Array.from({ length: 200 }, (_, index) => `/assets/made-up-${String(index).padStart(8, "A")}.js`);
  const answers = await Promise.all(atOnce.map(ask));
  const refused = answers.filter(([status]) => status === 503);
  expect(refused.length).toBeGreaterThan(100);
  expect(refused.length).toBeLessThan(200);
  expect(answers.filter(([status, hasRetryAfter]) => (status === 503) !== hasRetryAfter)).toEqual([]);
  await request(app).get("/assets/made-up-ABCDEFGH.js").expect(404);
});

describe("a changed logo", () => {
  const logo = (title: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 66 44"><title>${title}</title></svg>`;

  it("is shown by the footer that names it, whichever replica answers, and purged from the edge", async () => {
    const store = await openTestStore(testLogger);
    const { purge } = openPurges(store.db, createVarnish("http://edge.invalid"), deps);
    const purged = async () =>
      (await store.db.selectFrom("purge").select("id").execute()).map(({ id }) => id).toSorted();
    const start = async (title: string) => {
      const shop = await loadOwnShop(
        await writeShop({ "logos/visa.svg": logo(title), "pictures/400x300.svg": logo(title) }),
      );
      const replica = await createTestApp({ ...shop, store });
      const [archiver] = createAssetArchive(replica.context, new Map(), purge).jobs;
      await archiver?.start();
      onTestFinished(() => archiver?.close());
      const { text } = await request(replica.app).get("/fragments/footer/DE").expect(200);
      const addresses = [...text.matchAll(/(?:src|srcset)="([^"]+(?:visa|400x300)\.svg[^"]*)"/gi)].map(([, url]) =>
        String(url),
      );
      expect(addresses).toHaveLength(2);
      return { app: replica.app, title, addresses };
    };
    const before = await start("before");
    expect(await purged()).toEqual([]);
    const after = await start("after");
    expect(await purged()).toEqual(["fragment-footer", "fragment-newsletter", "images"]);
    for (const { app } of [before, after])
      for (const { title, addresses } of [before, after])
        for (const address of addresses) {
          const { body, headers } = await request(app).get(address).expect(200);
          expect([body.toString(), headers["cache-control"]]).toEqual([
            logo(title),
            "public, max-age=31536000, immutable",
          ]);
        }
    expect(new Set([...before.addresses, ...after.addresses]).size).toBe(4);
    const [plain = ""] = String(after.addresses[0]).split("?");
    expect((await request(after.app).get(plain)).body.toString()).toBe(logo("after"));
  }, 60_000);

  it("purges nothing once the replicas with the other one have ended long ago", async () => {
    const store = await openTestStore(testLogger);
    const listed = (hash: string) =>
      listImages({
        logos: new Map([["visa.svg", { file: "visa.svg", content: Buffer.from(""), hash }]]),
        pictures: new Map(),
      });
    const start = Date.now();
    const [before, after] = [listed("AAAAAAAA"), listed("BBBBBBBB")];
    await archive(store.db, before, start);
    const hasReplaced = (at: number) => hasReplacedImages(store.db, after, at);
    expect([await hasReplaced(start), await hasReplaced(start + 3 * hour)]).toEqual([true, false]);
    expect(await hasReplacedImages(store.db, before, start)).toBe(false);
  });
});

it("writes the files of this build to a folder, where there is no store", async () => {
  const folder = await mkdtemp(join(tmpdir(), "assets-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  expect(await runCommand({}, "assets", "export", folder)).toMatchObject({ code: 0, stderr: "" });
  const page = await request(app).get("/").set("Host", "de.localhost");
  const named = [...page.text.matchAll(/\/assets\/([\w.-]+)/g)].map(([, name]) => name);
  expect(named).toContainEqual(expect.stringMatching(/^newsletter-DE-.*json$/));
  expect(await readdir(folder)).toEqual(expect.arrayContaining(named));
});

it("forgets a build 30 days after its last replica has ended, and keeps its own", async () => {
  const start = Date.now();
  const own = await listFiles(deps.assets, new Map());
  await archive(db, own, start);
  await archive(db, new Map([["page-EARLIER2.css", async () => Buffer.from("")]]), start);
  const names = async () => (await db.selectFrom("archivedAsset").select("name").execute()).map(({ name }) => name);
  await cleanUp(db, [...own.keys()], start + 29 * day);
  expect(await names()).toContain("page-EARLIER2.css");
  await cleanUp(db, [...own.keys()], start + 30 * day);
  expect((await names()).toSorted()).toEqual([...own.keys()].toSorted());
});
