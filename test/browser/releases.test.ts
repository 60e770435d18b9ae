import { afterAll } from "vitest";
import { findFreePort } from "../support/find-free-port.ts";
import { buildLaterRelease } from "../support/later-release.ts";
import { onStore, startReplica, stopProcesses } from "../support/start-process.ts";
import { createStorePlace } from "../support/test-store.ts";
import { readyBlock } from "./open-newsletter.ts";
import { test } from "./shop-test.ts";
import { desktop } from "./viewports.ts";

const later = await buildLaterRelease();
afterAll(stopProcesses);

test.for([
  ["an update", "dist", later.dist],
  ["the way back", later.dist, "dist"],
] as const)(
  "a page that was open during %s gets what it loads later from its own release",
  async ([, before, after], { newPage }) => {
    const place = onStore(await createStorePlace());
    const port = String(await findFreePort());
    const start = (dist: string) => startReplica({ ...place, DEMO: "on", PORT: port }, dist);
    const page = await newPage(desktop);
    const replaced = await start(before);
    await page.goto(`http://de.localhost:${port}/`);
    await replaced.stop();
    const replacement = await start(after);
    await readyBlock(page);
    await replacement.stop();
  },
);
