import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import packageJson from "../../../package.json" with { type: "json" };
import { type BuiltFile, hashForBrowsers } from "../../../server/platform/assets.ts";
import { buildLaterRelease } from "../../support/later-release.ts";
import { findToken, openBrowser, readStatus } from "../../support/open-browser.ts";
import { onStore, startReplica, stopProcesses } from "../../support/start-process.ts";
import { createStorePlace } from "../../support/test-store.ts";

const password = "correct horse battery staple";

const later = await buildLaterRelease();
afterAll(stopProcesses);

it("sessions, links in emails, subscriptions and browsers' files outlast an update, and the way back", async () => {
  const place = await createStorePlace();
  const start = (dist?: string) => startReplica({ ...onStore(place), DEMO: "on", DEMO_PASSWORD: password }, dist);
  const [customer, staff, visitor] = [openBrowser(), openBrowser(), openBrowser()];
  const tokens: string[] = [];
  const signUp = async (origin: string) => {
    const email = `visitor-${tokens.length}@shop.example`;
    expect(await visitor.signUp(origin, email)).toBe(202);
    tokens.push((await vi.waitUntil(() => findToken(place.dataDir, email), 10_000)) ?? "");
  };

  let running = await start();
  expect(await customer.signIn(running.origin, "demo@example.com", password)).toBe(200);
  expect(await staff.signInAsStaff(running.origin, "staff@example.com", password)).toBe(200);
  await signUp(running.origin);
  const builds = [later, { version: packageJson.version, dist: "dist" }];
  for (const { version, dist } of builds) {
    const started = await start(dist);
    expect(await started.metrics()).toContain(`build_info{version="${version}",`);
    // While replicas are replaced, both versions answer.
    for (const { origin } of [running, started]) {
      expect(await customer.renew(origin)).toBe(201);
      expect(await staff.renewAsStaff(origin)).toBe(200);
      expect(await visitor.confirm(origin, tokens.at(-1) ?? "")).toBe(200);
      for (const token of tokens) expect(await readStatus(origin, token)).toBe("SUBSCRIBED");
      await signUp(origin);
    }
    for (const { origin } of [running, started]) expect(await missingFiles(origin)).toEqual([]);
    await running.stop();
    running = started;
    expect(await missingFiles(running.origin)).toEqual([]);
  }
  expect(tokens).toHaveLength(5);

  /** Lists the browser's files of both releases that a service doesn't return as they were built. */
  async function missingFiles(origin: string): Promise<string[]> {
    const missing: string[] = [];
    // One by one, because a page requests few files that aren't in memory yet.
    for (const { file, integrity } of builds.flatMap(({ dist }) => readInventory(dist))) {
      const answer = await fetch(`${origin}/assets/${file}`);
      const content = Buffer.from(await answer.arrayBuffer());
      if (!answer.ok || hashForBrowsers(content) !== integrity) missing.push(file);
    }
    return missing;
  }
});

function readInventory(dist: string): BuiltFile[] {
  return JSON.parse(readFileSync(join(dist, "assets/manifest.json"), "utf8")).inventory;
}
