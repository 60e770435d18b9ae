import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { builtInIconStyle, type Drawing, drawSprite } from "../../server/brand/icon-sprite.ts";
import { assets, manifestFile } from "./build-id.ts";
import { listBuiltFiles } from "./inventory.ts";
import { iconNotice, type Outputs } from "./licences.ts";

/**
 * Adds the images and the sprite to the folder of the browser's files.
 * @returns the built name of every file by its name in client/
 */
export async function addImages(outputs: Outputs): Promise<Record<string, string>> {
  return { ...bundledFiles(outputs), ...(await hashImages()), "icons.svg": await writeSprite() };
}

/** Writes the manifest. It is written last, so a build with a manifest is complete. */
export async function writeManifest(build: string, files: Record<string, string>, outputs: Outputs): Promise<void> {
  // The stylesheets that declare design tokens.
  const branded = Object.values(outputs).flatMap(({ entryPoint, inputs }) => {
    return entryPoint && "brand.json" in inputs ? [basename(entryPoint)] : [];
  });
  const manifest = { build, files, inventory: await listBuiltFiles(files, outputs), branded };
  await writeFile(manifestFile, JSON.stringify(manifest, null, 2));
}

/**
 * Writes the sprite and the licence of its icons.
 * @returns the sprite's built name
 */
async function writeSprite(): Promise<string> {
  return writeHashed("icons.svg", drawSprite(await readDrawings()));
}

/** Returns the CSS rules that find an icon or a flag in the sprite. Also writes the sprite. */
export async function styleIcons(): Promise<string> {
  return builtInIconStyle(await writeSprite(), await readDrawings());
}

/**
 * Reads every icon and flag, and writes the licence of the icons.
 * @throws Error naming an icon that doesn't exist, or a flag that isn't listed or can't be read
 */
async function readDrawings() {
  const notices = await writeHashed("icons-license.txt", await iconNotice());
  return { notices, icons: await readIcons(), flags: await readFlags() };
}

async function readIcons(): Promise<Map<string, Drawing>> {
  const names: Record<string, string> = JSON.parse(await readFile("client/icons/icons.json", "utf8"));
  const { icons } = JSON.parse(await readFile("node_modules/@iconify-json/tabler/icons.json", "utf8"));
  const drawings = Object.entries(names).map(([name, icon]): [string, Drawing] => {
    if (!icons[icon]) throw new Error(`client/icons/icons.json: there is no icon "${icon}" for "${name}"`);
    return [name, { attributes: ' viewBox="0 0 24 24"', body: icons[icon].body }];
  });
  return new Map(drawings);
}

/**
 * Reads every flag, in the order of their cells, to which new ones are only appended.
 * @throws Error naming a flag that isn't listed, is missing, or can't be read
 */
async function readFlags(): Promise<Map<string, Drawing>> {
  const names: string[] = JSON.parse(await readFile("client/icons/flags.json", "utf8"));
  for (const name of globSync("*.svg", { cwd: "client/icons/flags" }).map((file) => basename(file, ".svg")))
    if (!names.includes(name)) throw new Error(`client/icons/flags.json: list the flag "${name}" last`);
  return new Map(await Promise.all(names.map((name) => readFlag(`client/icons/flags/${name}.svg`))));
}

async function readFlag(file: string): Promise<[name: string, Drawing]> {
  const [, viewBox, body = ""] =
    (await readFile(file, "utf8")).match(/<svg[^>]*viewBox="([^"]+)"[^>]*>(.*)<\/svg>/s) ?? [];
  if (!viewBox) throw new Error(`${file}: no svg element with a viewBox`);
  return [basename(file, ".svg"), { attributes: ` viewBox="${viewBox}"`, body: body.replace(/\s*\n\s*/g, "") }];
}

/** Compresses each script, stylesheet and image with Brotli and gzip, in files beside it. */
export async function compressFiles(): Promise<void> {
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  await Promise.all(
    globSync(`${assets}/*.{js,css,svg}`).map(async (file) => {
      const content = await readFile(file);
      await writeFile(`${file}.br`, await promisify(brotliCompress)(content, quality));
      await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
    }),
  );
}

function bundledFiles(outputs: Outputs): Record<string, string> {
  return Object.fromEntries(
    Object.entries(outputs).flatMap(([file, { entryPoint }]) =>
      entryPoint ? [[basename(entryPoint).replace(/\.tsx?$/, ".js"), basename(file)]] : [],
    ),
  );
}

async function hashImages(): Promise<Record<string, string>> {
  const images = globSync("client/**/images/*.svg").map(async (file) => {
    return [basename(file), await writeHashed(basename(file), await readFile(file, "utf8"))];
  });
  return Object.fromEntries(await Promise.all(images));
}

async function writeHashed(name: string, content: string): Promise<string> {
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 8).toUpperCase();
  const file = name.replace(/(\.\w+)$/, `-${hash}$1`);
  await mkdir(assets, { recursive: true });
  await writeFile(join(assets, file), content);
  return file;
}
