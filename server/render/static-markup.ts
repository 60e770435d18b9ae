import { LRUCache } from "lru-cache";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";

/** Gives the markup of a part that is equal for every request with its key: rendered at the first call, then kept. */
export type StaticMarkup = (key: string, element: ReactNode) => string;

/**
 * Creates a store of static parts.
 * @param max - how many parts it keeps: by default more than 200 sites have
 */
export function createStaticMarkup(max = 1_000): StaticMarkup {
  const kept = new LRUCache<string, string>({ max });
  return (key, element) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const markup = renderToStaticMarkup(element);
    kept.set(key, markup);
    return markup;
  };
}
