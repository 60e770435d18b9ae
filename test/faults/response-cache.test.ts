import { expect, it } from "vitest";
import { createTestApp, sites } from "../support/test-app.ts";
import { askInProcess, heldMemory } from "./held-memory.ts";

it("takes at most 10 MB whatever addresses are asked for, and keeps those of pages", async () => {
  const { app } = await createTestApp();
  const ask = async (path: string, host?: string) => (await askInProcess(app, path, host)).getHeader("cache-status");

  const real = sites.map(({ site }) => `/fragments/footer/${site}`);
  const filler = "x".repeat(15_000);
  const place = (index: number) =>
    `/fragments/newsletter/${sites[0]?.site}?originAddition=${String(index).padStart(64, "a")}`;
  const flood = async (count: number) => {
    for (let index = 0; index < count; index++) {
      await ask(`${real[0]}?x=${index}${filler}`);
      await ask(`${real[0]}`, `${index}.${filler}.example`);
      await ask(`${real[0]}?${"&".repeat(index)}`);
      if (index % 3 === 0) for (const end of ["", `&x=${filler}`]) await ask(`${place(index)}${end}`);
    }
  };
  // The first requests compile code.
  for (let round = 0; round < 2; round++) for (const path of real) await ask(path);
  await flood(50);
  const before = await heldMemory();
  await flood(1_000);
  for (const path of real)
    for (const query of ["", "reduced=true&", "newsletter=false&", "preview=true&", "assets=none&"])
      for (const platform of ["MATCH", "TABLET"])
        for (const form of ["", ".json"]) await ask(`${path}${form}?${query}platform=${platform}`);
  expect(((await heldMemory()) - before) / 1e6).toBeLessThan(10);
  for (const path of real.slice(1)) expect(await ask(path)).toBe("storefront; hit");
}, 60_000);
