import type { Worlds } from "../../client/demo/WorldTiles.tsx";
import type { Assets } from "../assets.ts";
import type { Translate } from "../i18n.ts";

/** Builds the tiles that lead to the worlds of the demo shop. */
export function buildWorlds(assets: Assets, text: Translate<"page">): Worlds {
  return {
    heading: text("worlds.heading"),
    items: (["coffee", "fashion", "living", "mobile"] as const).map((id) => ({
      heading: text(`world.${id}.heading`),
      text: text(`world.${id}.text`),
      url: `/category/${id}`,
      image: assets.url(`world-${id}.svg`),
    })),
  };
}
