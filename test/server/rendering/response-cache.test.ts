import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { setImmediate as turnOfLoop } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createElement } from "react";
import { expect, it } from "vitest";
import { createResponseCache } from "../../../server/rendering/response-cache.ts";
import { createTestApp, siteOf, sites } from "../../support/test-app.ts";

const { context, service } = await createTestApp();

it("free text in a URL evicts no footer from the cache", async () => {
  const nobody = async () => undefined;
  const cache = createResponseCache({ ...context, previewOf: nobody, sessionOf: nobody });
  const ask = async (name: string, query: Record<string, string>) => {
    const fragment = service.fragments.fragments.find((known) => known.name === name);
    if (!fragment) throw new Error(`there is no fragment ${name}`);
    const variant = await fragment.prepare(query, siteOf("AT"), { cookies: {} }, async () => undefined);
    // Building the props of each would take seconds.
    const build = () => ({ props: {}, element: () => createElement("p") });
    return (await cache.fetch({ ...variant, build })).cache;
  };
  expect(await ask("footer", {})).toBe("miss");
  for (let i = 0; i < 2_500; i++) expect(await ask("newsletter", { originAddition: `page-${i}` })).toBe("miss");
  expect(await ask("footer", {})).toBe("hit");
  expect(await ask("newsletter", { originAddition: "page-2499" }), "the latest text").toBe("hit");
  expect(await ask("newsletter", { originAddition: "page-0" }), "the first text").toBe("miss");
});

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
  const held = async () => {
    // React ends its renders there.
    await turnOfLoop();
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
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
      for (const platform of ["MATCH", "TABLET"]) await ask(`${path}?${query}platform=${platform}`);
  expect(((await held()) - before) / 1e6).toBeLessThan(10);
  for (const path of real.slice(1)) expect(await ask(path)).toBe("storefront; hit");
}, 60_000);
