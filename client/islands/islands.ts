import { type IslandName, islandComponents } from "./island-components.ts";

const idle = '[data-island][data-island-state="idle"]';

/** How far outside the window an island is loaded, so that it is ready when it is seen. */
const nearby = "300px";

const observer = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (isIntersecting) void hydrateIsland(target as HTMLElement);
    }
  },
  { rootMargin: nearby },
);

/**
 * Hydrates the islands inside an element when they come near the window. One that isn't shown never does, so React
 * isn't loaded for it.
 */
export function watchIslands(root: ParentNode): void {
  for (const island of root.querySelectorAll(idle)) observer.observe(island);
}

/** Hydrates an island at once when it gets the focus. */
export function hydrateOnFocus(root: Document): void {
  root.addEventListener("focusin", ({ target }) => {
    const island = target instanceof Element && target.closest<HTMLElement>(idle);
    if (island) void hydrateIsland(island);
  });
}

/**
 * Loads the code of an island and lets React take over its markup, once. `data-island-state` says how far it is: idle,
 * loading, ready, or failed, which leaves the server's markup as it is.
 */
export async function hydrateIsland(island: HTMLElement): Promise<void> {
  if (!island.matches(idle)) return;
  observer.unobserve(island);
  island.dataset.islandState = "loading";
  try {
    const [{ hydrate }, component] = await Promise.all([
      import("./hydrate.tsx"),
      islandComponents[island.dataset.island as IslandName](),
    ]);
    await hydrate<never>(island, component);
    island.dataset.islandState = "ready";
  } catch {
    // The browser has already said what it couldn't load or run; the server's markup works without.
    island.dataset.islandState = "failed";
  }
}
