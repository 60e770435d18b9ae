import type { ComponentType } from "react";
import { readCookies } from "../host-page/read-cookies.ts";

type LoadComponent = () => Promise<ComponentType<never>>;

/** Loaders of the components, by the island's name. */
type IslandComponents = Record<string, LoadComponent>;

const idle = "[data-island-state=idle]";

/** The event of a pointer, which may be a finger. */
const reached = "pointerover";

/** Islands that act are hydrated at this distance from the window, to be ready when they are seen. */
const nearby = "300px";

/**
 * Hydrates islands when a visitor needs them, each once: as soon as they get the focus. Their code is loaded when a pointer
 * reaches them; it does no more, because a finger that scrolls the page presses, too.
 * @returns a function that hydrates the islands inside an element that act before a visitor touches them when they come
 * near the window; nothing is loaded for an island that isn't shown
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
   * Loads the code of the idle island around a target, and hydrates it unless a pointer has only reached it.
   * `data-island-state` is idle, loading, ready, or failed, which leaves the server's markup as it is.
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
      // The browser has logged what it couldn't load or run; the server's markup works without.
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

/** Requests React, the code of an island and its shared props, which are false if the response isn't ok. */
function requestIsland({ islandShared }: DOMStringMap, load: LoadComponent) {
  return Promise.all([
    import("./hydrate.tsx"),
    load(),
    islandShared && fetch(islandShared).then<object | false>((response) => response.ok && response.json()),
  ]);
}
