import { cellAt, columns } from "../../client/icons/cells.ts";

/** An icon or a flag. */
export interface Drawing {
  /** The attributes of its root element, each after a space: `viewBox`, fill and stroke. */
  attributes: string;
  /** The elements in it. */
  body: string;
}

/**
 * The file with every icon and, to the right, every flag: a grid for each. By their names, in the order of their cells:
 * only ever add to its end, as pages may mix fragments of two builds.
 */
interface Sprite {
  /** Name of the file with the licence of the icons. */
  notices: string;
  icons: ReadonlyMap<string, Drawing>;
  flags: ReadonlyMap<string, Drawing>;
}

const icon = { width: 24, height: 24 };
const flag = { width: 24, height: 16 };
/** From a cell to the next, 1.25 icons: the gap lets nothing of a neighbour show where a cell ends within a pixel. */
const pitch = 30;
const flagPrefix = "flag-";

/** Draws a sprite as SVG. */
export function drawSprite({ notices, icons, flags }: Sprite): string {
  const drawings = [
    ...[...icons].map(([name, drawing], index) => drawCell(name, drawing, icon, index, 0)),
    ...[...flags].map(([name, drawing], index) => drawCell(flagPrefix + name, drawing, flag, index, columns)),
  ];
  const [width, height] = [2 * columns * pitch, rowsOf({ icons, flags }) * pitch];
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}><!-- Licenses: ${notices} -->${drawings.join("")}</svg>`;
}

function drawCell(id: string, { attributes, body }: Drawing, { width, height }: typeof icon, at: number, left: number) {
  const place = `x="${(left + (at % columns)) * pitch}" y="${Math.floor(at / columns) * pitch}"`;
  return `<svg id="${id}" ${place} width="${width}" height="${height}"${attributes}>${body}</svg>`;
}

/** Reads a sprite that `drawSprite` has drawn of icons and flags without an element `svg` in them. */
export function readSprite(source: string): Sprite {
  const [, notices = ""] = /<!-- Licenses: (\S+) -->/.exec(source) ?? [];
  const cells = source.matchAll(/<svg id="([^"]+)" x="\d+" y="\d+" width="\d+" height="\d+"([^>]*)>(.*?)<\/svg>/gs);
  const drawings = Array.from(cells, ([, id = "", attributes = "", body = ""]) => [id, { attributes, body }] as const);
  const { icons = [], flags = [] } = Object.groupBy(drawings, ([id]) =>
    id.startsWith(flagPrefix) ? "flags" : "icons",
  );
  return {
    notices,
    icons: new Map(icons),
    flags: new Map(flags.map(([id, drawing]) => [id.slice(flagPrefix.length), drawing])),
  };
}

/**
 * Writes the rules that find an icon or a flag in the sprite by its cell, for `client/icons/icons.css`.
 * @param file - the sprite's name beside the stylesheet
 */
export function builtInIconStyle(file: string, sprite: Sprite): string {
  const column = (index: number) => `.sf-root [data-icon$="-${index}"]{--sf-icon-left:${moved(index)}}`;
  return `.sf-root{--sf-icons:url(./${file})}${range(0, columns).map(column).join("")}${rowStyle(0, rowsOf(sprite))}`;
}

/**
 * Writes what a shop's own sprite changes in these rules. Its specificity is higher, so that it also applies when a script
 * loads another built stylesheet later.
 */
export function ownIconStyle(file: string, builtIn: Sprite, own: Sprite): string {
  const colored = [...own.icons.values()].flatMap(({ attributes, body }, index) => {
    return hasOwnColors(attributes + body) ? [`[data-icon="${cellAt(index)}"]`] : [];
  });
  const rows = rowStyle(rowsOf(builtIn), rowsOf(own));
  return `.sf-root.sf-root{--sf-icons:url(${file})}${rows}${colored.length > 0 ? coloredStyle(colored) : ""}`;
}

function rowStyle(from: number, to: number): string {
  return range(from, to)
    .map((index) => `.sf-root [data-icon^="${index}-"]{--sf-icon-top:${moved(index)}}`)
    .join("");
}

/** Draws icons as they are: in place of the mask, their picture. */
function coloredStyle(cells: readonly string[]): string {
  const icons = `.sf-root.sf-root:not(#_#_#_) :is(${cells.join()})::before`;
  return `${icons}{border-color:#0000;mask:none;-webkit-mask:none;background:var(--sf-icons) var(--sf-icon-left) var(--sf-icon-top)/25em;background-origin:border-box}`;
}

/** Whether a drawing has a colour beside that of the text. */
function hasOwnColors(source: string): boolean {
  const colors = [...source.matchAll(/\b(?:fill|stroke|stop-color|color)\s*[=:]\s*["']?\s*([^"';\s]+)/gi)];
  return colors.some(([, color = ""]) => !/^(?:none|currentcolor|transparent|inherit)$/i.test(color));
}

/** Where a row or a column begins, in sides of an icon. */
function moved(index: number): string {
  return `${(-index * pitch) / icon.width}em`;
}

function rowsOf({ icons, flags }: Omit<Sprite, "notices">): number {
  return Math.ceil(Math.max(icons.size, flags.size) / columns);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}
