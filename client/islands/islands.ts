import type { ComponentType } from "react";
import { readCookies } from "../host-page/read-cookies.ts";

type LoadComponent = () => Promise<ComponentType<never>>;

/** Loaders of the components, by the island's name. */
type IslandComponents = Record<string, LoadComponent>;

interface Islands {
  /**
   * Hydrates the islands inside an element that act before a visitor touches them when they come near the window. Nothing
   * is loaded for an island that isn't shown.
   */
  watch(root: ParentNode): void;
  /**
   * Hydrates an island as soon as it gets the focus. Pointer events don't count, because a finger that scrolls the page
   * presses, too.
   */
  hydrateOnFocus(root: Document): void;
}

const idle = "[data-island-state=idle]";

/** Islands that act are hydrated at this distance from the window, to be ready when they are seen. */
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
      // The visitor may have focused a field before this script ran.
      hydrateAround(root.activeElement);
    },
  };
}

/**
 * Loads the code of an island and hydrates it. `data-island-state` is idle, loading, ready, or failed, which leaves the
 * server's markup as it is.
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
    // The browser has logged what it couldn't load or run; the server's markup works without.
    island.dataset.islandState = "failed";
  }
}
