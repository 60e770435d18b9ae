import { describe, expect, it, vi } from "vitest";
import { createFallbacks } from "../../../server/rendering/fallbacks.ts";
import type { Fragment } from "../../../server/rendering/fragment.ts";
import { createTestApp, sites } from "../../support/test-app.ts";

const [site] = sites;
if (!site) throw new Error("there is no site");
const year = (number: number) => Date.UTC(number, 0);

/** A fragment that shows the same text twice, since ever and from the year 2027 on. */
function fragmentShowing(show: () => string): Fragment {
  const build = (from: number) => () => ({ props: {}, element: () => <p>{`${show()} ${from}`}</p> });
  return {
    name: "sample",
    assets: { styles: [], scripts: [] },
    parse: () => ({ valid: false, faults: [] }),
    fallbacks: () => [-Infinity, year(2027)].map((from) => ({ from, build: build(from) })),
  };
}

describe("the fallbacks of fragments", () => {
  it("are rendered once each, also those of later moments", async () => {
    const show = vi.fn(() => "hello");
    const fallbacks = createFallbacks();
    const sample = fragmentShowing(show);
    await fallbacks.prepare([sample], sites);
    expect(show).toHaveBeenCalledTimes(2 * sites.length);
    for (const each of sites) await fallbacks.current(sample, each);
    expect(show).toHaveBeenCalledTimes(2 * sites.length);
  });

  it("are there when nothing can be rendered any more", async () => {
    const show = vi.fn(() => "hello");
    const fallbacks = createFallbacks();
    const sample = fragmentShowing(show);
    await fallbacks.prepare([sample], sites);
    show.mockImplementation(() => {
      throw new Error("planted failure");
    });
    expect(String((await fallbacks.current(sample, site)).body)).toContain("<p>hello");
  });

  it("follow the time", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: year(2027) - 1 });
    try {
      const fallbacks = createFallbacks();
      const sample = fragmentShowing(() => "hello");
      expect(String((await fallbacks.current(sample, site)).body)).toBe("<p>hello -Infinity</p>");
      vi.setSystemTime(year(2027));
      expect(String((await fallbacks.current(sample, site)).body)).toBe(`<p>hello ${year(2027)}</p>`);
    } finally {
      vi.useRealTimers();
    }
  });

  it("say when one of them can't be rendered", async () => {
    const fallbacks = createFallbacks();
    const broken = fragmentShowing(() => {
      throw new Error("planted failure");
    });
    await expect(fallbacks.prepare([broken], sites)).rejects.toThrow("planted failure");
  });

  it("are prepared for every fragment of every site", async () => {
    const { service } = await createTestApp();
    const all = service.fragments.fragments;
    const fallbacks = createFallbacks();
    await fallbacks.prepare(all, sites);
    for (const fragment of all) expect((await fallbacks.current(fragment, site)).body).not.toHaveLength(0);
  });
});
