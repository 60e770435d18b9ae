import type { ComponentType } from "react";

/** How to load the component of each island, by the island's name. */
export type IslandComponents = Record<string, () => Promise<ComponentType<never>>>;

export interface Islands {
  /**
   * Hydrates the islands inside an element when they come near the window. One that isn't shown never does, so React
   * isn't loaded for it.
   */
  watch(root: ParentNode): void;
  /** Hydrates an island at once when it gets the focus. */
  hydrateOnFocus(root: Document): void;
}

const idle = '[data-island][data-island-state="idle"]';

/** An island is loaded so far outside the window already, so that it is ready when it is seen. */
const nearby = "300px";

/** Hydrates islands when a visitor comes to them, each once. */
export function createIslands(components: IslandComponents): Islands {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) hydrateOnce(target);
    },
    { rootMargin: nearby },
  );

  function hydrateOnce(island: Element) {
    if (!(island instanceof HTMLElement && island.matches(idle))) return;
    observer.unobserve(island);
    void hydrateIsland(island, components);
  }

  return {
    watch(root) {
      for (const island of root.querySelectorAll(idle)) observer.observe(island);
    },
    hydrateOnFocus(root) {
      root.addEventListener("focusin", ({ target }) => {
        const island = target instanceof Element && target.closest(idle);
        if (island) hydrateOnce(island);
      });
    },
  };
}

/**
 * Loads the code of an island and lets React take over its markup. `data-island-state` says how far it is: idle,
 * loading, ready, or failed, which leaves the server's markup as it is.
 */
async function hydrateIsland(island: HTMLElement, components: IslandComponents): Promise<void> {
  const { island: name = "" } = island.dataset;
  island.dataset.islandState = "loading";
  try {
    const [{ hydrate }, component] = await Promise.all([import("./hydrate.tsx"), components[name]?.()]);
    if (!component) throw new Error(`no component for the island "${name}"`);
    await hydrate(island, component);
    island.dataset.islandState = "ready";
  } catch {
    // The browser has already said what it couldn't load or run; the server's markup works without.
    island.dataset.islandState = "failed";
  }
}
