import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { setImmediate as turnOfLoop } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { createTestApp, sites } from "../support/test-app.ts";

it("takes at most 10 MB whatever addresses are asked for, and keeps those of pages", async () => {
  const { app } = await createTestApp();
  const ask = (path: string, host = "de.localhost") => {
    const request = Object.assign(new IncomingMessage(new Socket()), { method: "GET", url: path, headers: { host } });
    const response = new ServerResponse(request);
    return new Promise((resolve) => {
      response.end = () => {
        resolve(response.getHeader("cache-status"));
        return response;
      };
      app(request, response);
    });
  };
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  /** Counts the bytes that are left when collecting frees no more: threads of V8 free buffers after a collection. */
  const held = async () => {
    for (let least = Number.POSITIVE_INFINITY; ; ) {
      // React ends its renders there.
      await turnOfLoop();
      collect();
      const { heapUsed, external } = process.memoryUsage();
      if (heapUsed + external >= least) return least;
      least = heapUsed + external;
    }
  };

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
  const before = await held();
  await flood(1_000);
  for (const path of real)
    for (const query of ["", "reduced=true&", "newsletter=false&", "preview=true&", "assets=none&"])
      for (const platform of ["MATCH", "TABLET"])
        for (const form of ["", ".json"]) await ask(`${path}${form}?${query}platform=${platform}`);
  expect(((await held()) - before) / 1e6).toBeLessThan(10);
  for (const path of real.slice(1)) expect(await ask(path)).toBe("storefront; hit");
}, 60_000);
