import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { assets, manifestFile } from "./build-id.ts";
import { listBuiltFiles } from "./inventory.ts";
import { iconNotice, type Outputs } from "./licences.ts";

/**
 * Completes the folder of the browser's files by the images and the sprite.
 * @returns the built name of every file by its name in client/
 */
export async function addImages(outputs: Outputs): Promise<Record<string, string>> {
  return { ...bundledFiles(outputs), ...(await hashImages()), "icons.svg": await writeSprite() };
}

/** Writes the manifest. It comes last: the build is complete once it is there. */
export async function writeManifest(build: string, files: Record<string, string>, outputs: Outputs): Promise<void> {
  // The stylesheets that declare the tokens of all pages.
  const branded = Object.values(outputs).flatMap(({ entryPoint, inputs }) => {
    return entryPoint && "brand.json" in inputs ? [basename(entryPoint)] : [];
  });
  const manifest = { build, files, inventory: await listBuiltFiles(files, outputs), branded };
  await writeFile(manifestFile, JSON.stringify(manifest, null, 2));
}

/** Writes the sprite and the licence of its icons. Returns the sprite's built name. */
export async function writeSprite(): Promise<string> {
  return writeHashed("icons.svg", await drawSprite(await writeHashed("icons-license.txt", await iconNotice())));
}

/**
 * Draws every icon and flag as a symbol of one SVG file.
 * @param notices - name of the file with the licence of the icons
 * @throws Error naming an icon that doesn't exist, or a flag that can't be read
 */
async function drawSprite(notices: string): Promise<string> {
  const flags = globSync("client/icons/flags/*.svg").sort().map(drawFlag);
  const symbols = [...(await drawIcons()), ...(await Promise.all(flags))].join("");
  return `<svg xmlns="http://www.w3.org/2000/svg"><!-- Licenses: ${notices} -->${symbols}</svg>`;
}

async function drawIcons(): Promise<string[]> {
  const names: Record<string, string> = JSON.parse(await readFile("client/icons/icons.json", "utf8"));
  const { icons } = JSON.parse(await readFile("node_modules/@iconify-json/tabler/icons.json", "utf8"));
  return Object.entries(names).map(([name, icon]) => {
    if (!icons[icon]) throw new Error(`client/icons/icons.json: there is no icon "${icon}" for "${name}"`);
    return `<symbol id="${name}" viewBox="0 0 24 24">${icons[icon].body}</symbol>`;
  });
}

async function drawFlag(file: string): Promise<string> {
  const [, viewBox, body = ""] =
    (await readFile(file, "utf8")).match(/<svg[^>]*viewBox="([^"]+)"[^>]*>(.*)<\/svg>/s) ?? [];
  if (!viewBox) throw new Error(`${file}: no svg element with a viewBox`);
  return `<symbol id="flag-${basename(file, ".svg")}" viewBox="${viewBox}">${body.replace(/\s*\n\s*/g, "")}</symbol>`;
}

/** Writes each script, stylesheet and image in Brotli and gzip, too. */
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
