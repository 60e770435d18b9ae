import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { readEnv } from "../../server/config/env.ts";
import { createContext } from "../../server/context.ts";
import type { AppContext } from "../../server/features/feature.ts";
import { createMetrics } from "../../server/platform/metrics.ts";
import { testLogger } from "./test-app.ts";

/** Writes a shop's own folder, which is there until the test ends; what is no text becomes JSON. */
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

type LoadedShop = Pick<AppContext, "assets" | "brand" | "countries" | "drawings" | "logos" | "pictures" | "texts">;

/** Loads what the service does with a shop's own folder. */
export async function loadShop(folder: string, variables: Record<string, string> = {}): Promise<LoadedShop> {
  const env = readEnv({ SHOP_DIR: folder, ...variables });
  const { assets, brand, countries, drawings, logos, pictures, texts } = await createContext({
    ...{ env, logger: testLogger, metrics: createMetrics(), readiness: { state: "ready" }, port: 3000 },
  });
  return { assets, brand, countries, drawings, logos, pictures, texts };
}
