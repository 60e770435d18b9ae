import { cellAt, columns } from "../../client/icons/cells.ts";

/** An icon or a flag. */
export interface Drawing {
  /** The attributes of the root element, each after a space: `viewBox`, fill and stroke. */
  attributes: string;
  /** The elements inside. */
  body: string;
}

/**
 * The file with every icon and, to the right, every flag, each in a grid. Icons and flags are by name, in the order of
 * their cells. Only ever append to them, because pages may mix fragments of two builds.
 */
interface Sprite {
  /** Name of the file with the licence of the icons. */
  notices: string;
  icons: ReadonlyMap<string, Drawing>;
  flags: ReadonlyMap<string, Drawing>;
}

const icon = { width: 24, height: 24 };
const flag = { width: 24, height: 16 };
/** The distance between two cells: 1.25 icons. The gap keeps a neighbour from showing if a cell ends within a pixel. */
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

/** Reads a sprite written by `drawSprite`. Its icons and flags must not contain an element `svg`. */
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
 * @param file - the sprite's name, in the folder of the stylesheet
 */
export function builtInIconStyle(file: string, sprite: Sprite): string {
  const column = (index: number) => `.sf-root [data-icon$="-${index}"]{--sf-icon-left:${moved(index)}}`;
  return `.sf-root{--sf-icons:url(./${file})}${range(0, columns).map(column).join("")}${rowStyle(0, rowsOf(sprite))}`;
}

/**
 * Writes the changes that a shop's own sprite makes to these rules. Their specificity is higher, so that they still
 * apply if a script later loads another built stylesheet.
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

/** Shows icons as pictures instead of masks, with their own colours. */
function coloredStyle(cells: readonly string[]): string {
  const icons = `.sf-root.sf-root:not(#_#_#_) :is(${cells.join()})::before`;
  return `${icons}{border-color:#0000;mask:none;-webkit-mask:none;background:var(--sf-icons) var(--sf-icon-left) var(--sf-icon-top)/25em;background-origin:border-box}`;
}

/** Whether a drawing has a colour other than that of the text. */
function hasOwnColors(source: string): boolean {
  const colors = [...source.matchAll(/\b(?:fill|stroke|stop-color|color)\s*[=:]\s*["']?\s*([^"';\s]+)/gi)];
  return colors.some(([, color = ""]) => !/^(?:none|currentcolor|transparent|inherit)$/i.test(color));
}

/** Returns where a row or a column begins, in sides of an icon. */
function moved(index: number): string {
  return `${(-index * pitch) / icon.width}em`;
}

function rowsOf({ icons, flags }: Omit<Sprite, "notices">): number {
  return Math.ceil(Math.max(icons.size, flags.size) / columns);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}
