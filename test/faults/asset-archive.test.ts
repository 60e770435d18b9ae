import { expect, it } from "vitest";
import { archive } from "../../server/features/asset-archive/embedded/archive.ts";
import { createTestApp } from "../support/test-app.ts";
import { askInProcess, heldMemory } from "./held-memory.ts";

it("keeps 4 MB of earlier builds' files at most, and no name that was made up", async () => {
  const { app, deps } = await createTestApp();
  const hash = (index: number) => String(index).padStart(8, "A");
  const files = Array.from({ length: 100 }, (_, index) => `earlier-${hash(index)}.bin`);
  const contents = files.map((name) => [name, async () => Buffer.alloc(100_000, name)] as const);
  await archive(deps.store.db, new Map(contents), Date.now());
  const ask = async (name: string) => (await askInProcess(app, `/assets/${name}`)).statusCode;
  const filler = "x".repeat(15_000);
  const flood = async (count: number) => {
    for (let index = 0; index < count; index++) {
      expect(await ask(`${filler}-${hash(index)}.js`)).toBe(404);
      expect(await ask(`${filler.slice(0, 80)}-${hash(index)}.js`)).toBe(404);
    }
  };
  // The first requests compile code, and further ones optimize it.
  await flood(500);
  const before = await heldMemory();
  for (const name of files) expect(await ask(name)).toBe(200);
  await flood(4_200);
  expect(((await heldMemory()) - before) / 1e6).toBeLessThan(5);
  // The latest file is still cached: invented names evict no file.
  await deps.store.db.schema.dropTable("archivedAsset").execute();
  expect(await ask(String(files.at(-1)))).toBe(200);
}, 60_000);
