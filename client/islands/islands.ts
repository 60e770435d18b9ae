import type { ComponentType } from "react";
import { readCookies } from "../host-page/read-cookies.ts";

type LoadComponent = () => Promise<ComponentType<never>>;

/** How to load the component of each island, by the island's name. */
export type IslandComponents = Record<string, LoadComponent>;

export interface Islands {
  /**
   * Looks after the islands inside an element that act before a visitor touches them: they are hydrated when they come
   * near the window. One that isn't shown never is, so nothing is loaded for it.
   */
  watch(root: ParentNode): void;
  /**
   * Hydrates an island as soon as something in it gets the focus. A finger that scrolls the page presses what it is on,
   * too, but focuses nothing.
   */
  hydrateOnFocus(root: Document): void;
}

const idle = "[data-island-state=idle]";

/** An island that acts is loaded so far outside the window already, so that it is ready when it is seen. */
const nearby = "300px";

/** Hydrates islands when a visitor needs them, each once. */
export function createIslands(components: IslandComponents): Islands {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) hydrateAround(target);
    },
    { rootMargin: nearby },
  );

  function hydrateAround(target: unknown) {
    const island = target instanceof Element && target.closest<HTMLElement>(idle);
    const load = island && components[island.dataset.island ?? ""];
    if (load) void hydrateIsland(island, load);
  }

  return {
    watch(root) {
      const isCustomer = "LoginToken" in readCookies(document.cookie);
      for (const island of root.querySelectorAll<HTMLElement>("[data-island-acts-for]")) {
        if (isCustomer || island.dataset.islandActsFor === "everybody") observer.observe(island);
      }
    },
    hydrateOnFocus(root) {
      root.addEventListener("focusin", ({ target }) => hydrateAround(target));
      // The visitor may have been faster than this script.
      hydrateAround(root.activeElement);
    },
  };
}

/**
 * Loads the code of an island and lets React take over its markup. `data-island-state` says how far it is: idle,
 * loading, ready, or failed, which leaves the server's markup as it is.
 */
async function hydrateIsland(island: HTMLElement, load: LoadComponent): Promise<void> {
  const { islandShared } = island.dataset;
  island.dataset.islandState = "loading";
  try {
    const [{ hydrate }, component, shared] = await Promise.all([
      import("./hydrate.tsx"),
      load(),
      islandShared ? fetch(islandShared) : undefined,
    ]);
    await hydrate(island, component, shared);
    island.dataset.islandState = "ready";
  } catch {
    // The browser has already said what it couldn't load or run; the server's markup works without.
    island.dataset.islandState = "failed";
  }
}
