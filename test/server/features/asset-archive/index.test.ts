import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import request from "supertest";
import { expect, it, onTestFinished } from "vitest";
import { day } from "../../../../client/rules/time.ts";
import { archive, cleanUp, listFiles } from "../../../../server/features/asset-archive/index.ts";
import { runCommand } from "../../../support/run-command.ts";
import { createTestApp } from "../../../support/test-app.ts";

const { app, deps } = await createTestApp();
const { db } = deps.store;
const earlier = new Map([
  ["footer-EARLIER1.css", async () => Buffer.from(".earlier {}")],
  ["footer-EARLIER1.css.br", async () => brotliCompressSync(".earlier {}")],
]);

it("answers a file of an earlier build as it answered its own", async () => {
  await archive(db, earlier, Date.now());
  const own = await request(app).get(deps.assets.path("footer.css")).set("Accept-Encoding", "br");
  const answer = await request(app).get("/assets/footer-EARLIER1.css").set("Accept-Encoding", "br").expect(200);
  for (const name of ["cache-control", "content-type", "content-encoding", "access-control-allow-origin", "vary"])
    expect(answer.headers[name]?.toLowerCase(), name).toBe(own.headers[name]?.toLowerCase());
  const plain = await request(app).get("/assets/footer-EARLIER1.css").set("Accept-Encoding", "identity");
  expect(plain.text).toBe(".earlier {}");
  await request(app).get("/assets/footer-UNKNOWN1.css").expect(404);
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
