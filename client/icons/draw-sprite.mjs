import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";

/**
 * Draws every icon and flag as a symbol of one SVG file.
 * @param notices - name of the file with the licence of the icons
 * @throws Error naming an icon that there isn't, or a flag that can't be read
 */
export async function drawSprite(notices) {
  const flags = globSync("client/icons/flags/*.svg").sort().map(drawFlag);
  const symbols = [...(await drawIcons()), ...(await Promise.all(flags))].join("");
  return `<svg xmlns="http://www.w3.org/2000/svg"><!-- Licenses: ${notices} -->${symbols}</svg>`;
}

async function drawIcons() {
  const names = JSON.parse(await readFile("client/icons/icons.json", "utf8"));
  const { icons } = JSON.parse(await readFile("node_modules/@iconify-json/tabler/icons.json", "utf8"));
  return Object.entries(names).map(([name, icon]) => {
    if (!icons[icon]) throw new Error(`client/icons/icons.json: there is no icon "${icon}" for "${name}"`);
    return `<symbol id="${name}" viewBox="0 0 24 24">${icons[icon].body}</symbol>`;
  });
}

async function drawFlag(file) {
  const [, viewBox, body] = (await readFile(file, "utf8")).match(/<svg[^>]*viewBox="([^"]+)"[^>]*>(.*)<\/svg>/s) ?? [];
  if (!viewBox) throw new Error(`${file}: no svg element with a viewBox`);
  return `<symbol id="flag-${basename(file, ".svg")}" viewBox="${viewBox}">${body.replace(/\s*\n\s*/g, "")}</symbol>`;
}
