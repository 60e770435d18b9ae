import { createElement } from "react";
import { expect, it } from "vitest";
import { createResponseCache } from "../../../server/rendering/response-cache.ts";
import { createTestApp, siteOf } from "../../support/test-app.ts";

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
