import type { ComponentType } from "react";
import { readCookies } from "../host-page/read-cookies.ts";

type LoadComponent = () => Promise<ComponentType<never>>;

/** Loaders of the components, by the island's name. */
type IslandComponents = Record<string, LoadComponent>;

const idle = "[data-island-state=idle]";

/** The event of a pointer that reaches an island. The pointer may be a finger. */
const reached = "pointerover";

/** Islands that act for themselves are hydrated at this distance from the window, to be ready when they are seen. */
const nearby = "300px";

/**
 * Hydrates each island once, when a visitor needs it: when it gets the focus. A pointer that reaches an island loads
 * its code, but doesn't hydrate it, because a finger that scrolls the page presses, too.
 * @returns a function that takes an element, and hydrates the islands inside that act for themselves when they come
 * near the window; loads nothing for an island that isn't shown
 */
export function startIslands(root: Document, components: IslandComponents): (part: ParentNode) => void {
  const requests = new WeakMap<HTMLElement, ReturnType<typeof requestIsland>>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) if (entry.isIntersecting) loadAround(entry);
    },
    { rootMargin: nearby },
  );

  /**
   * Loads the code of the idle island around a target. Also hydrates it, unless a pointer has only reached it.
   * `data-island-state` is idle, loading, ready, or failed, which keeps the server's markup.
   */
  async function loadAround({ target, type }: { target: unknown; type?: string }) {
    const island = target instanceof Element && target.closest<HTMLElement>(idle);
    const load = island && components[island.dataset.island ?? ""];
    if (!load) return;
    const { dataset } = island;
    const request = requests.get(island) ?? requestIsland(dataset, load);
    requests.set(island, request);
    try {
      if (type === reached) return void (await request);
      dataset.islandState = "loading";
      const [{ hydrate }, ...parts] = await request;
      await hydrate(island, ...parts);
      dataset.islandState = "ready";
    } catch {
      // The browser has logged what it couldn't load or run. The server's markup works without it.
      dataset.islandState = "failed";
    }
  }

  root.addEventListener(reached, loadAround);
  root.addEventListener("focusin", loadAround);
  // The visitor may have focused a field before this script ran.
  loadAround({ target: root.activeElement });

  return (part) => {
    const isCustomer = "LoginToken" in readCookies(root.cookie);
    const acting = isCustomer ? "[data-island-acts-for]" : "[data-island-acts-for=everybody]";
    for (const island of part.querySelectorAll(acting)) observer.observe(island);
  };
}

/** Requests React, the code of an island and its shared props. The props are false if the response isn't ok. */
function requestIsland({ islandShared }: DOMStringMap, load: LoadComponent) {
  return Promise.all([
    import("./hydrate.tsx"),
    load(),
    islandShared && fetch(islandShared).then<object | false>((response) => response.ok && response.json()),
  ]);
}
