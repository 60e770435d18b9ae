import type { OwnImages } from "./own-images.ts";

/** A file that holds every icon and flag as a symbol. */
export interface Sprite {
  source: string;
  icons: ReadonlySet<string>;
  flags: ReadonlySet<string>;
}

/** Begins the name of a flag's symbol. */
const flagPrefix = "flag-";

/**
 * Draws a shop's own icons and flags in place of the built-in ones of their names, and beside the others.
 * @param builtIn - the sprite of the build
 */
export function drawOver(builtIn: string, { icons, flags }: Pick<OwnImages, "icons" | "flags">): Sprite {
  const symbols = new Map(
    [...builtIn.matchAll(/<symbol id="([^"]+)".*?<\/symbol>/gs)].map(([all, id = ""]) => [id, all]),
  );
  for (const [name, { content }] of icons) symbols.set(name, symbolOf(name, content));
  for (const [name, { content }] of flags) symbols.set(flagPrefix + name, symbolOf(flagPrefix + name, content));
  const ids = [...symbols.keys()];
  return {
    // What stands before the first says where the licence is (test/build/notices.test.ts).
    source: `${builtIn.slice(0, builtIn.indexOf("<symbol"))}${[...symbols.values()].join("")}</svg>`,
    icons: new Set(ids.filter((id) => !id.startsWith(flagPrefix))),
    flags: new Set(ids.filter((id) => id.startsWith(flagPrefix)).map((id) => id.slice(flagPrefix.length))),
  };
}

/** Makes a symbol of a drawing, with what its outermost element says of colours and lines. */
function symbolOf(id: string, content: Buffer): string {
  const source = content.toString("utf8").replace(/<!--.*?-->/gs, "");
  const [, attributes = "", body = ""] = /<svg\b([^>]*)>(.*)<\/svg>/s.exec(source) ?? [];
  const kept = attributes.match(/\s(?:viewBox|xmlns:\w+|(?:fill|stroke)[\w-]*)\s*=\s*(?:"[^"]*"|'[^']*')/g) ?? [];
  return `<symbol id="${id}"${kept.join("")}>${body.replace(/\s*\n\s*/g, "")}</symbol>`;
}
