import { globSync, readFileSync } from "node:fs";
import { basename, extname, join, parse } from "node:path";
import type { Build } from "../platform/assets.ts";
import type { Logger } from "../platform/logger.ts";
import { builtIn, type ShopFolder } from "../platform/shop-folder.ts";
import { findSvgFaults } from "./find-svg-faults.ts";

type Images = ReturnType<typeof loadImages>;
export type Drawings = Images["drawings"];
export type Logos = Images["logos"];
export type Pictures = Images["pictures"];

/** The maximum size of a file in each folder, in kB. Every footer loads all flags and icons. */
const kilobytes = { flags: 10, icons: 10, logos: 50, pictures: 500 };

type Folder = keyof typeof kilobytes;

/** An image of a shop's own folder. */
interface OwnImage {
  /** The name of its file. */
  file: string;
  content: Buffer;
}

/** Images by the names of their files without an extension. */
type OwnImages = ReadonlyMap<string, OwnImage>;

const spriteName = "icons.svg";

/** Loads the built-in images and those of the shop's own folder, which take precedence. */
export function loadImages(shop: ShopFolder, build: Build, logger: Logger) {
  const ofNewsletter = globSync("*.svg", { cwd: builtIn.newsletterPictures });
  const ofDemo = Object.keys(build.files).filter((name) => name.endsWith(".svg") && name !== spriteName);
  const replaceable = [...ofNewsletter, ...ofDemo].map((file) => parse(file).name).sort();
  const faults: string[] = [];
  const flags = readOwn("flags");
  const icons = readOwn("icons");
  readOwn("logos");
  const pictures = readOwn("pictures");
  const sprite = mergeSprite(readFileSync(join(build.folder, build.files[spriteName] ?? ""), "utf8"), icons, flags);
  const logos = listLogos(inTurn(shop.logos, builtIn.logos), logger);
  const files = ofDemo.flatMap((name) => {
    const picture = pictures.get(parse(name).name);
    return picture ? [[name, picture] as const] : [];
  });
  return {
    /** The names of the images that a country can show. */
    drawings: { icons: sprite.icons, flags: sprite.flags, logos: logos.sources },
    logos,
    /** The default pictures of the newsletter sign-up. */
    pictures: {
      /** A file in the first folder takes precedence. */
      folders: inTurn(shop.pictures, builtIn.newsletterPictures),
      /** Returns the file name of a picture. */
      fileOf: (name: string) => pictures.get(name)?.file ?? `${name}.svg`,
    },
    /** The files that replace built ones: the sprite, and pictures of the demo. */
    assets: new Map<string, OwnImage>([
      ...(icons.size + flags.size > 0
        ? [[spriteName, { file: spriteName, content: Buffer.from(sprite.source) }] as const]
        : []),
      ...files,
    ]),
    /** The faults of the shop's own images, each as `<folder>/<file> message`. */
    faults,
  };

  /** Reads and checks the shop's own images of one folder. */
  function readOwn(folder: Folder): OwnImages {
    const images = new Map<string, OwnImage>();
    const path = shop[folder] ?? "";
    for (const file of path ? globSync("**/*.*", { cwd: path }).sort() : []) {
      const image = { file, content: readFileSync(join(path, file)) };
      const name = file.slice(0, -extname(file).length);
      const found = findFaults(folder, image);
      if (folder === "pictures" && !replaceable.includes(name))
        found.push(`replaces no picture: it must be one of ${replaceable.join(", ")}`);
      if (images.has(name)) found.push(`replaces the same picture as ${images.get(name)?.file}`);
      faults.push(...found.map((fault) => `${folder}/${file} ${fault}`));
      images.set(name, image);
    }
    return images;
  }
}

function inTurn(own: string | undefined, builtIn: string): string[] {
  return [own, builtIn].filter((folder) => folder !== undefined);
}

/** Lists the logos of payment methods, carriers and seals in some folders, as `<source>.svg`. */
function listLogos(folders: readonly string[], logger: Logger) {
  const files = folders.flatMap((folder) => globSync("*.svg", { cwd: folder }));
  const sources: ReadonlySet<string> = new Set(files.map((file) => basename(file, ".svg")));
  const logged = new Set<string>();
  return {
    /** A file in the first folder takes precedence. */
    folders,
    sources,
    /** Returns the path of a logo. Returns undefined when there is no such logo, which is logged once. */
    url(source: string): string | undefined {
      if (sources.has(source)) return `/service/footer-images/logos/${source}.svg`;
      if (!logged.has(source)) logger.error({ source }, "the country names an unknown logo");
      logged.add(source);
      return undefined;
    },
  };
}

function findFaults(folder: Folder, { file, content }: OwnImage): string[] {
  const faults = content.length > kilobytes[folder] * 1024 ? [`must not be larger than ${kilobytes[folder]} kB`] : [];
  const [, ending] = /^[A-Za-z0-9][A-Za-z0-9-]*\.(svg|png|jpg|webp|avif)$/.exec(file) ?? [];
  if (ending === "svg") {
    const source = content.toString("utf8");
    faults.push(...findSvgFaults(source));
    // Flags and icons are merged into one file, whose ids are their names.
    if (/^(flags|icons)$/.test(folder) && /\sid\s*=/.test(source)) faults.push("must not have an id");
  } else if (ending === undefined || folder !== "pictures")
    faults.push(`must be named <name>.${folder === "pictures" ? "svg, .png, .jpg, .webp or .avif" : "svg"}`);
  return faults;
}

/** The prefix of the ids of flags. */
const flagPrefix = "flag-";

/**
 * Merges a shop's own icons and flags into the built-in ones, and replaces those of the same name.
 * @param builtIn - the sprite of the build, with all icons and flags as symbols
 */
function mergeSprite(builtIn: string, icons: OwnImages, flags: OwnImages) {
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
