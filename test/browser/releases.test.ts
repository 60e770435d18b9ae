import { afterAll } from "vitest";
import { findFreePort } from "../support/find-free-port.ts";
import { buildLaterRelease } from "../support/later-release.ts";
import { onStore, startReplica, stopProcesses } from "../support/start-process.ts";
import { createStorePlace } from "../support/test-store.ts";
import { expect } from "./expect.ts";
import { readyBlock } from "./open-newsletter.ts";
import { test } from "./shop-test.ts";
import { desktop } from "./viewports.ts";

const later = await buildLaterRelease();
afterAll(stopProcesses);

test.for([
  ["an update", "its own origin", "dist", later.dist],
  ["the way back", "a CDN", later.dist, "dist"],
] as const)(
  "a page that was open during %s gets what it loads later from its own release, from %s",
  async ([, source, before, after], { newPage }) => {
    const place = onStore(await createStorePlace());
    const port = String(await findFreePort());
    const origin = `http://de.localhost:${port}`;
    // Another origin of the service. A CDN forwards requests for files that it doesn't have.
    const cdn = source === "a CDN" ? `http://127.0.0.1:${port}` : undefined;
    const variables = { ...place, DEMO: "on", PORT: port, ASSET_BASE_URL: cdn };
    const page = await newPage(desktop);
    const origins = new Set<string>();
    page.on("request", (request) => {
      if (["script", "stylesheet"].includes(request.resourceType())) origins.add(new URL(request.url()).origin);
    });
    const replaced = await startReplica(variables, before);
    await page.goto(`${origin}/`);
    await replaced.stop();
    const replacement = await startReplica(variables, after);
    await readyBlock(page);
    expect([...origins]).toEqual([cdn ?? origin]);
    await replacement.stop();
  },
);
