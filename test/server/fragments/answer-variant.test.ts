import { createElement } from "react";
import { expect, it } from "vitest";
import { createFragments } from "../../../server/create-fragments.ts";
import { createFallbacks } from "../../../server/fragments/fallbacks.ts";
import { askFragment } from "../../../server/fragments/fragment.ts";
import { createFragmentRenderer } from "../../../server/fragments/fragment-renderer.ts";
import { siteOf } from "../../support/site-of.ts";
import { createTestApp } from "../../support/test-app.ts";

const { deps } = await createTestApp();
const fragments = createFragments(deps);

it("footers are kept, however many texts an address may hold", async () => {
  const renderer = createFragmentRenderer({ ...deps, build: "test", cache: true, fallbacks: createFallbacks() });
  const ask = async (name: string, query: Record<string, string>) => {
    const fragment = fragments.all.find((known) => known.name === name);
    if (!fragment) throw new Error(`there is no fragment ${name}`);
    const variant = await askFragment(fragment, query).prepare(siteOf("AT"), { cookies: {} }, async () => undefined);
    // Building the props of each would take seconds.
    return (await renderer.render({ ...variant, build: () => ({ props: {}, element: () => createElement("p") }) }))
      .cache;
  };
  expect(await ask("footer", {})).toBe("miss");
  for (let i = 0; i < 2_500; i++) expect(await ask("newsletter", { originAddition: `page-${i}` })).toBe("miss");
  expect(await ask("footer", {})).toBe("hit");
  expect(await ask("newsletter", { originAddition: "page-2499" }), "the latest text").toBe("hit");
  expect(await ask("newsletter", { originAddition: "page-0" }), "the first text").toBe("miss");
});
