import type { ComponentType } from "react";
import { readCookies } from "../host-page/read-cookies.ts";

/** How to load the component of each island, by the island's name. */
export type IslandComponents = Record<string, () => Promise<ComponentType<never>>>;

export interface Islands {
  /**
   * Looks after the islands inside an element that act before a visitor touches them: they are hydrated when they come
   * near the window. One that isn't shown never is, so nothing is loaded for it.
   */
  watch(root: ParentNode): void;
  /** Hydrates an island as soon as a visitor touches it. */
  hydrateOnTouch(root: Document): void;
}

const idle = '[data-island-state="idle"]';

/** An island that acts is loaded so far outside the window already, so that it is ready when it is seen. */
const nearby = "300px";

/**
 * What a visitor does with an island who cares for it: a field gets the focus, a button is clicked that doesn't get it,
 * or a field is filled in. A finger that only scrolls the page presses an island, too, so that doesn't count.
 */
const touches = ["focusin", "click", "input"];

/** Hydrates islands when a visitor needs them, each once. */
export function createIslands(components: IslandComponents): Islands {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) hydrateOnce(target);
    },
    { rootMargin: nearby },
  );

  function hydrateOnce(island: Element | null) {
    if (!(island instanceof HTMLElement && island.matches(idle))) return;
    observer.unobserve(island);
    void hydrateIsland(island, components);
  }

  function touch({ target }: { target: unknown }) {
    if (target instanceof Element) hydrateOnce(target.closest(idle));
  }

  return {
    watch(root) {
      const isCustomer = "LoginToken" in readCookies(document.cookie);
      for (const island of root.querySelectorAll<HTMLElement>(idle)) {
        const { islandActsFor } = island.dataset;
        if (islandActsFor === "everybody" || (isCustomer && islandActsFor === "customers")) observer.observe(island);
      }
    },
    hydrateOnTouch(root) {
      // In the capture phase, as a host page may stop a click on its way up.
      for (const type of touches) root.addEventListener(type, touch, true);
      // The visitor may have been faster than this script.
      touch({ target: root.activeElement });
    },
  };
}

/**
 * Loads the code of an island and lets React take over its markup. `data-island-state` says how far it is: idle,
 * loading, ready, or failed, which leaves the server's markup as it is.
 */
async function hydrateIsland(island: HTMLElement, components: IslandComponents): Promise<void> {
  const { island: name = "", islandShared } = island.dataset;
  island.dataset.islandState = "loading";
  try {
    const [{ hydrate }, component, shared] = await Promise.all([
      import("./hydrate.tsx"),
      components[name]?.(),
      islandShared && fetch(islandShared).then((answer) => answer.json()),
    ]);
    if (!component) throw new Error(`no component for the island "${name}"`);
    await hydrate(island, component, shared);
    island.dataset.islandState = "ready";
  } catch {
    // The browser has already said what it couldn't load or run; the server's markup works without.
    island.dataset.islandState = "failed";
  }
}
