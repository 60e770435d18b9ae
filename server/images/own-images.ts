import { globSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import type { ShopFolder } from "../shop-folder.ts";
import { findSvgFaults } from "./find-svg-faults.ts";
import { isRaster } from "./raster-type.ts";

export interface OwnImage {
  /** Name of its file. */
  file: string;
  content: Buffer;
}

/** The images of a shop's own folder, each by its name without an ending. */
export interface OwnImages {
  flags: ReadonlyMap<string, OwnImage>;
  icons: ReadonlyMap<string, OwnImage>;
  logos: ReadonlyMap<string, OwnImage>;
  pictures: ReadonlyMap<string, OwnImage>;
  /** Every fault as `<folder>/<file> message`. */
  faults: string[];
}

type Folder = "flags" | "icons" | "logos" | "pictures";

/** How large a file of each folder may be, in kB. Every footer loads all flags and icons. */
const kilobytes = { flags: 10, icons: 10, logos: 50, pictures: 500 };

/**
 * Reads the images of a shop's own folder, and checks them.
 * @param replaceable - the names of the built-in pictures: another one would be shown nowhere
 */
export function readOwnImages(shop: ShopFolder, replaceable: readonly string[]): OwnImages {
  const faults: string[] = [];
  const read = (folder: Folder) => {
    const images = new Map<string, OwnImage>();
    const path = shop[folder];
    for (const file of path === undefined ? [] : globSync("**/*.*", { cwd: path }).sort()) {
      const image = { file, content: readFileSync(join(path ?? "", file)) };
      const name = file.slice(0, -extname(file).length);
      const found = findFaults(folder, image);
      if (folder === "pictures" && !replaceable.includes(name))
        found.push(`replaces no picture: it must be one of ${replaceable.join(", ")}`);
      if (images.has(name)) found.push(`replaces the same picture as ${images.get(name)?.file}`);
      faults.push(...found.map((fault) => `${folder}/${file} ${fault}`));
      images.set(name, image);
    }
    return images;
  };
  return {
    flags: read("flags"),
    icons: read("icons"),
    logos: read("logos"),
    pictures: read("pictures"),
    faults,
  };
}

function findFaults(folder: Folder, { file, content }: OwnImage): string[] {
  const faults = content.length > kilobytes[folder] * 1024 ? [`must not be larger than ${kilobytes[folder]} kB`] : [];
  const [, ending] = /^[A-Za-z0-9][A-Za-z0-9-]*\.(svg|png|jpg|webp|avif)$/.exec(file) ?? [];
  if (ending === "svg") {
    const source = content.toString("utf8");
    faults.push(...findSvgFaults(source));
    // Flags and icons are drawn into one file, whose ids are their names.
    if (isInSprite(folder) && /\sid\s*=/.test(source)) faults.push("must not have an id");
  } else if (ending === undefined || folder !== "pictures") {
    faults.push(`must be named <name>.${folder === "pictures" ? "svg, .png, .jpg, .webp or .avif" : "svg"}`);
  } else if (!isRaster(content, ending)) faults.push(`is no ${ending} file`);
  return faults;
}

function isInSprite(folder: Folder): boolean {
  return folder === "flags" || folder === "icons";
}
