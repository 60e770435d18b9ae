export type VariantName = "cache" | "parts" | "whole" | "constant";

export interface Variant {
  name: VariantName;
  title: string;
  /** Built file that the server is started from. */
  script: string;
  env: Record<string, string>;
  /** What Server-Timing must say of the cache, so that the variant is what its title claims. */
  source?: "hit" | "bypass";
}

/** The servers that are compared, in the order in which each round visits them. */
export const variants: readonly Variant[] = [
  {
    name: "cache",
    title: "with cache",
    script: "dist/server/main.js",
    env: { RENDER_CACHE: "on" },
    source: "hit",
  },
  {
    name: "parts",
    title: "without cache, static parts kept",
    script: "dist/server/main.js",
    env: { RENDER_CACHE: "off" },
    source: "bypass",
  },
  {
    name: "whole",
    title: "whole tree at every request",
    script: "dist/bench/whole-tree.js",
    env: { RENDER_CACHE: "off" },
    source: "bypass",
  },
  {
    name: "constant",
    title: "constant bytes on bare Express",
    script: "dist/bench/constant-server.js",
    env: {},
  },
];
