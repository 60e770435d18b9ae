import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { readEnv } from "../../server/config/env.ts";
import { loadShop } from "../../server/context.ts";
import { throwFaults } from "../../server/platform/errors.ts";
import { testLogger } from "./test-app.ts";

/** Writes a shop's own folder, which exists until the test ends. Contents that aren't strings become JSON. */
export async function writeShop(files: Record<string, string | Buffer | object>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "shop-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [file, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    const isWritten = typeof content === "string" || content instanceof Buffer;
    await writeFile(join(folder, file), isWritten ? content : JSON.stringify(content));
  }
  return folder;
}

/** Loads a shop's own folder as the service does, and throws its faults. */
export async function loadOwnShop(folder: string, variables: Record<string, string> = {}) {
  const { shop, faults } = await loadShop(readEnv({ SHOP_DIR: folder, ...variables }), testLogger, 3000);
  throwFaults(faults);
  return shop;
}
