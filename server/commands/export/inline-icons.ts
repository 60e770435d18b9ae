import { cellAt } from "../../../client/icons/cells.ts";
import type { Drawing, readSprite } from "../../brand/icon-sprite.ts";

/** The drawings of a shop's sprite. */
export type Sprite = ReturnType<typeof readSprite>;

/** The opening tag of an element with an icon. In attributes, React writes no angle bracket as it is. */
const withIcon = /<(\w+)([^<>]*?) data-icon="([\d-]+)"([^<>]*)>/g;
const switcher = /<nav class="sf-switcher".*?<\/nav>/s;

/**
 * Writes the icons and flags of a footer into it, so that a page needs no image for them. One that the sprite doesn't
 * have stays as it is, from the sprite of the service.
 */
export function inlineIcons(html: string, { icons, flags }: Sprite): string {
  const [iconAt, flagAt] = [byCell(icons, drawIcon), byCell(flags, drawFlag)];
  const inline = (part: string, drawingOf: (attributes: string) => ReadonlyMap<string, string>) =>
    part.replace(withIcon, (tag, name, before, cell, after) => {
      const drawing = drawingOf(before).get(cell);
      return drawing === undefined ? tag : `<${name}${before}${after}>${drawing.replace("<svg", sizeOf(after))}`;
    });
  const withFlags = html.replace(switcher, (nav) =>
    inline(nav, (attributes) => (attributes.includes(' class="sf-icon"') ? iconAt : flagAt)),
  );
  return inline(withFlags, () => iconAt);
}

function byCell(drawings: ReadonlyMap<string, Drawing>, draw: (drawing: Drawing) => string) {
  return new Map(Array.from(drawings.values(), (drawing, index) => [cellAt(index), draw(drawing)]));
}

/** Returns the opening tag of an icon's drawing, which has the width that the stylesheet gives the element. */
function sizeOf(attributes: string): string {
  return attributes.includes('data-size="16"') ? '<svg width="16" height="16"' : '<svg width="24"';
}

function drawIcon({ attributes, body }: Drawing): string {
  return `<svg aria-hidden="true"${attributes}>${replaceStyles(body)}</svg>`;
}

/** Draws a flag as wide as an icon, but not as high, with an edge for white ones. */
function drawFlag({ attributes, body }: Drawing): string {
  const edge = '<path fill="none" stroke="currentColor" stroke-opacity=".15" d="M.5.5h23v15H.5z"/>';
  const flag = `<svg x="0" y="0" width="24" height="16"${attributes}>${replaceStyles(body)}</svg>`;
  return `<svg aria-hidden="true" viewBox="0 0 24 16">${flag}${edge}</svg>`;
}

/** Writes the inline styles of a drawing as attributes, which a strict policy doesn't forbid. */
function replaceStyles(body: string): string {
  return body.replace(
    /<([\w:-]+)([^<>]*?)\sstyle\s*=\s*(?:"([^"]*)"|'([^']*)')/g,
    // The first of two attributes of a name counts, and a style counts more than an attribute.
    (_tag, name, before, quoted, other) => `<${name}${attributesOf(quoted ?? other)}${before}`,
  );
}

function attributesOf(style: string): string {
  const declarations = style.matchAll(/([\w-]+)\s*:\s*([^;]+)/g);
  return Array.from(
    declarations,
    ([, name, value = ""]) => ` ${name}="${value.trim().replaceAll('"', "&quot;")}"`,
  ).join("");
}
