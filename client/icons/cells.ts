/** The number of icons in a row of the sprite. */
export const columns = 10;

/**
 * Returns the cell of the icon or flag at an index, as `data-icon` holds it: row and column, such as `1-7`. One rule
 * per row and column takes a fifth of the bytes of one rule per name.
 */
export function cellAt(index: number): string {
  return `${Math.floor(index / columns)}-${index % columns}`;
}
