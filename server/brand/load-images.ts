import { globSync, readFileSync } from "node:fs";
import { basename, extname, join, parse } from "node:path";
import type { Build, OwnAssets } from "../platform/assets.ts";
import type { Logger } from "../platform/logger.ts";
import { builtIn, type ShopFolder } from "../platform/shop-folder.ts";
import { findSvgFaults } from "./find-svg-faults.ts";

/** The names of the images that a country can show. */
export interface Drawings {
  flags: ReadonlySet<string>;
  icons: ReadonlySet<string>;
  logos: ReadonlySet<string>;
}

export interface Logos {
  /** The folders of the logos, as `<source>.svg`: a file in the first folder takes precedence. */
  folders: readonly string[];
  sources: ReadonlySet<string>;
  /** Returns the path of a logo. Returns undefined when there is no such logo, which is logged once. */
  url(source: string): string | undefined;
}

/** The default pictures of the newsletter sign-up. */
export interface Pictures {
  /** The folders of the pictures: a file in the first folder takes precedence. */
  folders: readonly string[];
  /** Returns the file name of a picture. */
  fileOf(name: string): string;
}

interface Images {
  drawings: Drawings;
  logos: Logos;
  pictures: Pictures;
  /** The files that replace built ones: the sprite, and pictures of the demo. */
  assets: OwnAssets["files"];
  /** The faults of the shop's own images, each as `<folder>/<file> message`. */
  faults: string[];
}

const spriteName = "icons.svg";

/** Loads the built-in images and those of the shop's own folder, which take precedence. */
export function loadImages(shop: ShopFolder, build: Build, logger: Logger): Images {
  const ofNewsletter = globSync("*.svg", { cwd: builtIn.newsletterPictures });
  const ofDemo = Object.keys(build.files).filter((name) => name.endsWith(".svg") && name !== spriteName);
  const own = readOwnImages(shop, [...ofNewsletter, ...ofDemo].map((file) => parse(file).name).sort());
  const sprite = mergeSprite(readFileSync(join(build.folder, build.files[spriteName] ?? ""), "utf8"), own);
  const logos = loadLogos(inTurn(shop.logos, builtIn.logos), logger);
  return {
    drawings: { ...sprite, logos: logos.sources },
    logos,
    pictures: {
      folders: inTurn(shop.pictures, builtIn.newsletterPictures),
      fileOf: (name) => own.pictures.get(name)?.file ?? `${name}.svg`,
    },
    assets: new Map([
      ...(own.icons.size + own.flags.size > 0 ? [spriteAsset(sprite.source)] : []),
      ...replaced(own.pictures, ofDemo),
    ]),
    faults: own.faults,
  };
}

function inTurn(own: string | undefined, builtIn: string): string[] {
  return [own, builtIn].filter((folder) => folder !== undefined);
}

function spriteAsset(source: string) {
  return [spriteName, { file: spriteName, content: Buffer.from(source) }] as const;
}

/** Returns the pictures that replace built files, by the names of the built files. */
function replaced(pictures: OwnImages["pictures"], names: readonly string[]) {
  return names.flatMap((name) => {
    const picture = pictures.get(parse(name).name);
    return picture ? [[name, picture] as const] : [];
  });
}

/** Lists the logos of payment methods, carriers and seals in some folders. */
function loadLogos(folders: readonly string[], logger: Logger): Logos {
  const files = folders.flatMap((folder) => globSync("*.svg", { cwd: folder }));
  const sources = new Set(files.map((file) => basename(file, ".svg")));
  const logged = new Set<string>();
  return {
    folders,
    sources,
    url(source) {
      if (sources.has(source)) return `/service/footer-images/logos/${source}.svg`;
      if (!logged.has(source)) logger.error({ source }, "the country names an unknown logo");
      logged.add(source);
      return undefined;
    },
  };
}

interface OwnImage {
  /** The name of its file. */
  file: string;
  content: Buffer;
}

/** The images of a shop's own folder, by their names without an extension. */
interface OwnImages {
  flags: ReadonlyMap<string, OwnImage>;
  icons: ReadonlyMap<string, OwnImage>;
  logos: ReadonlyMap<string, OwnImage>;
  pictures: ReadonlyMap<string, OwnImage>;
  /** Each fault as `<folder>/<file> message`. */
  faults: string[];
}

type Folder = "flags" | "icons" | "logos" | "pictures";

/** The maximum size of a file in each folder, in kB. Every footer loads all flags and icons. */
const kilobytes = { flags: 10, icons: 10, logos: 50, pictures: 500 };

/**
 * Reads and checks the images of a shop's own folder.
 * @param replaceable - the names of the built-in pictures: a picture with any other name would never be shown
 */
function readOwnImages(shop: ShopFolder, replaceable: readonly string[]): OwnImages {
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
    // Flags and icons are merged into one file, whose ids are their names.
    if (isInSprite(folder) && /\sid\s*=/.test(source)) faults.push("must not have an id");
  } else if (ending === undefined || folder !== "pictures") {
    faults.push(`must be named <name>.${folder === "pictures" ? "svg, .png, .jpg, .webp or .avif" : "svg"}`);
  } else if (!isRaster(content, ending)) faults.push(`is no ${ending} file`);
  return faults;
}

function isInSprite(folder: Folder): boolean {
  return folder === "flags" || folder === "icons";
}

/** The first bytes of each file type, after an offset. */
const beginnings = {
  png: [0, "\x89PNG\r\n\x1a\n"],
  jpg: [0, "\xff\xd8\xff"],
  webp: [8, "WEBP"],
  avif: [4, "ftypavif"],
} as const;

/** Whether the content of a file has the type of its extension. */
function isRaster(content: Buffer, ending: string): boolean {
  const [, beginning] = Object.entries(beginnings).find(([type]) => type === ending) ?? [];
  if (!beginning) return false;
  const [offset, bytes] = beginning;
  return content.subarray(offset, offset + bytes.length).toString("latin1") === bytes;
}

/** A file with all icons and flags as symbols. */
interface Sprite {
  source: string;
  icons: ReadonlySet<string>;
  flags: ReadonlySet<string>;
}

/** The prefix of the ids of flags. */
const flagPrefix = "flag-";

/**
 * Merges a shop's own icons and flags into the built-in ones, and replaces those of the same name.
 * @param builtIn - the sprite of the build
 */
export function mergeSprite(builtIn: string, { icons, flags }: Pick<OwnImages, "icons" | "flags">): Sprite {
  const symbols = new Map(
    [...builtIn.matchAll(/<symbol id="([^"]+)".*?<\/symbol>/gs)].map(([all, id = ""]) => [id, all]),
  );
  for (const [name, { content }] of icons) symbols.set(name, symbolOf(name, content));
  for (const [name, { content }] of flags) symbols.set(flagPrefix + name, symbolOf(flagPrefix + name, content));
  const ids = [...symbols.keys()];
  return {
    // The comment before the first symbol names the licence.
    source: `${builtIn.slice(0, builtIn.indexOf("<symbol"))}${[...symbols.values()].join("")}</svg>`,
    icons: new Set(ids.filter((id) => !id.startsWith(flagPrefix))),
    flags: new Set(ids.filter((id) => id.startsWith(flagPrefix)).map((id) => id.slice(flagPrefix.length))),
  };
}

/** Converts a drawing to a symbol, with the fill and stroke attributes of its root element. */
function symbolOf(id: string, content: Buffer): string {
  const source = content.toString("utf8").replace(/<!--.*?-->/gs, "");
  const [, attributes = "", body = ""] = /<svg\b([^>]*)>(.*)<\/svg>/s.exec(source) ?? [];
  const kept = attributes.match(/\s(?:viewBox|xmlns:\w+|(?:fill|stroke)[\w-]*)\s*=\s*(?:"[^"]*"|'[^']*')/g) ?? [];
  return `<symbol id="${id}"${kept.join("")}>${body.replace(/\s*\n\s*/g, "")}</symbol>`;
}
