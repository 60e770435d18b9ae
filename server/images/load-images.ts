import { globSync, readFileSync } from "node:fs";
import { join, parse } from "node:path";
import type { Build, OwnAssets } from "../assets.ts";
import type { Logger } from "../logger.ts";
import { builtIn, type ShopFolder } from "../shop-folder.ts";
import type { Drawings } from "../sites/countries.ts";
import { type Logos, loadLogos } from "./logos.ts";
import { type OwnImages, readOwnImages } from "./own-images.ts";
import { drawOver } from "./sprite.ts";

/** The default pictures of the newsletter sign-up. */
export interface Pictures {
  /** Where they are; the first folder that has one has the last word. */
  folders: readonly string[];
  /** Gives the file of a picture. */
  fileOf(name: string): string;
}

export interface Images {
  drawings: Drawings;
  logos: Logos;
  pictures: Pictures;
  /** What replaces built files: the sprite, and pictures of the demo. */
  assets: OwnAssets["files"];
  /** Every fault of the shop's own images as `<folder>/<file> message`. */
  faults: string[];
}

const spriteName = "icons.svg";

/** Loads the built-in images, and over them those of the shop's own folder. */
export function loadImages(shop: ShopFolder, build: Build, logger: Logger): Images {
  const ofNewsletter = globSync("*.svg", { cwd: builtIn.newsletterPictures });
  const ofDemo = Object.keys(build.files).filter((name) => name.endsWith(".svg") && name !== spriteName);
  const own = readOwnImages(shop, [...ofNewsletter, ...ofDemo].map((file) => parse(file).name).sort());
  const sprite = drawOver(readFileSync(join(build.folder, build.files[spriteName] ?? ""), "utf8"), own);
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

/** Gives the pictures that replace built files, by the names of these. */
function replaced(pictures: OwnImages["pictures"], names: readonly string[]) {
  return names.flatMap((name) => {
    const picture = pictures.get(parse(name).name);
    return picture ? [[name, picture] as const] : [];
  });
}
