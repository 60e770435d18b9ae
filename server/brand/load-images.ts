import { readdirSync, readFileSync } from "node:fs";
import { basename, join, parse } from "node:path";
import { cellAt } from "../../client/icons/cells.ts";
import { addHash, type Build, shortHash } from "../platform/assets.ts";
import { builtIn, type ShopFolder } from "../platform/shop-folder.ts";
import { findSvgFaults } from "./find-svg-faults.ts";
import { type Drawing, drawSprite, ownIconStyle, readSprite } from "./icon-sprite.ts";

type Images = ReturnType<typeof loadImages>;
export type Drawings = Images["drawings"];
export type Logos = Images["logos"];
export type Pictures = Images["pictures"];

/** The maximum size of a file in each folder, in kB. Every footer loads all flags and icons. */
const kilobytes = { flags: 10, icons: 10, logos: 50, pictures: 500 };

type Folder = keyof typeof kilobytes;

export interface ImageFile {
  /** The name of its file. */
  file: string;
  content: Buffer;
  /** A hash of the content, for its URL. */
  hash: string;
}

/** Images by the names of their files without an extension. */
type ImagesByName = ReadonlyMap<string, ImageFile>;

const spriteName = "icons.svg";

/** Former names of pictures, which shops of earlier versions have. */
const formerNames: ReadonlyMap<string, string> = new Map([["hero-coffee", "hero"]]);

/**
 * Loads the built-in images and those of the shop's own folder, which take precedence. They are served from memory, so
 * that no browser gets a file that wasn't checked.
 */
export function loadImages(shop: ShopFolder, build: Build) {
  const ofNewsletter = readBuiltIn(builtIn.newsletterPictures);
  const ofDemo = Object.keys(build.files).filter((name) => name.endsWith(".svg") && name !== spriteName);
  const replaceable = [...ofNewsletter.keys(), ...ofDemo.map((file) => parse(file).name)].sort();
  const faults: string[] = [];
  const flags = readOwn("flags");
  const icons = readOwn("icons");
  const logos = new Map([...readBuiltIn(builtIn.logos), ...readOwn("logos")]);
  const pictures = readOwn("pictures");
  const built = readSprite(readFileSync(join(build.folder, build.files[spriteName] ?? ""), "utf8"));
  const sprite = { ...built, icons: addOwn(built.icons, icons), flags: addOwn(built.flags, flags) };
  const assets = new Map<string, Omit<ImageFile, "hash">>();
  let style = "";
  if (icons.size + flags.size > 0) {
    const content = Buffer.from(drawSprite(sprite));
    assets.set(spriteName, { file: spriteName, content });
    style = ownIconStyle(addHash(spriteName, content), built, sprite);
  }
  for (const file of ofDemo) {
    const { name } = parse(file);
    // A shop's own picture is shown in all seasons, unless the shop has one of the season.
    const picture = pictures.get(name) ?? (/^hero-/.test(name) ? pictures.get("hero") : undefined);
    if (picture) assets.set(file, picture);
  }
  return {
    /** The names of the images that a country can show; icons and flags with their cells. */
    drawings: {
      icons: cellsOf(sprite.icons),
      flags: cellsOf(sprite.flags),
      logos: new Set(logos.keys()),
    },
    /** The logos of payment methods, carriers and seals, by the names of their files. */
    logos: byFile(logos.values()),
    /** The default pictures of the newsletter sign-up. */
    pictures: {
      /** Replaced images are included, because pages in caches still request them. */
      files: byFile([...ofNewsletter.values(), ...pictures.values()]),
      named: pictureNamed,
    },
    /** The files that replace built ones: the sprite, and pictures of the demo. */
    assets,
    /** The sprite's changes to the stylesheets, as CSS. */
    style,
    /** The faults of the shop's own images, each as `<folder>/<file> message`. */
    faults,
  };

  /**
   * Returns a picture of the newsletter sign-up.
   * @throws Error if there is no picture of this name
   */
  function pictureNamed(name: string): ImageFile {
    const picture = pictures.get(name) ?? ofNewsletter.get(name);
    if (!picture) throw new Error(`no picture "${name}"`);
    return picture;
  }

  /** Reads and checks the shop's own images of one folder. */
  function readOwn(folder: Folder): ImagesByName {
    const images = new Map<string, ImageFile>();
    for (const [path, source] of shop.files) {
      if (!path.startsWith(`${folder}/`)) continue;
      const image = readImage(path.slice(folder.length + 1), source);
      const { name: written } = parse(path);
      const name = (folder === "pictures" && formerNames.get(written)) || written;
      const found = findFaults(folder, image);
      if (folder === "pictures" && !replaceable.includes(name))
        found.push(`replaces no picture: it must be one of ${replaceable.join(", ")}`);
      if (images.has(name)) found.push(`replaces the same picture as ${images.get(name)?.file}`);
      faults.push(...found.map((fault) => `${path} ${fault}`));
      images.set(name, image);
    }
    return images;
  }
}

function readBuiltIn(folder: string): ImagesByName {
  const files = readdirSync(folder).filter((file) => file.endsWith(".svg"));
  return new Map(files.map((file) => [basename(file, ".svg"), readImage(file, join(folder, file))]));
}

function readImage(file: string, path: string): ImageFile {
  const content = readFileSync(path);
  return { file, content, hash: shortHash(content) };
}

function byFile(images: Iterable<ImageFile>): ReadonlyMap<string, ImageFile> {
  return new Map(Array.from(images, (image) => [image.file, image]));
}

function findFaults(folder: Folder, { file, content }: ImageFile): string[] {
  const faults = content.length > kilobytes[folder] * 1024 ? [`must not be larger than ${kilobytes[folder]} kB`] : [];
  const [, ending] = /^[A-Za-z0-9][A-Za-z0-9-]*\.(svg|png|jpg|webp|avif)$/.exec(file) ?? [];
  if (ending === "svg") {
    const source = content.toString("utf8");
    faults.push(...findSvgFaults(source));
    // Flags and icons are merged into one file, in which their names are the ids.
    if (/^(flags|icons)$/.test(folder) && /\sid\s*=/.test(source)) faults.push("must not have an id");
  } else if (ending === undefined || folder !== "pictures")
    faults.push(`must be named <name>.${folder === "pictures" ? "svg, .png, .jpg, .webp or .avif" : "svg"}`);
  return faults;
}

/** Adds a shop's own icons or flags to the built-in ones. One with the name of a built-in one takes its place. */
function addOwn(builtIn: ReadonlyMap<string, Drawing>, own: ImagesByName): Map<string, Drawing> {
  return new Map([...builtIn, ...Array.from(own, ([name, { content }]) => [name, readDrawing(content)] as const)]);
}

function cellsOf(drawings: ReadonlyMap<string, Drawing>): ReadonlyMap<string, string> {
  return new Map(Array.from(drawings.keys(), (name, index) => [name, cellAt(index)]));
}

/** Reads a drawing, with the fill and stroke attributes of its root element. */
function readDrawing(content: Buffer): Drawing {
  const source = content.toString("utf8").replace(/<!--.*?-->/gs, "");
  const [, attributes = "", body = ""] = /<svg\b([^>]*)>(.*)<\/svg>/s.exec(source) ?? [];
  const kept = attributes.match(/\s(?:viewBox|xmlns:\w+|(?:fill|stroke)[\w-]*)\s*=\s*(?:"[^"]*"|'[^']*')/g) ?? [];
  return { attributes: kept.join(""), body: body.replace(/\s*\n\s*/g, "") };
}
