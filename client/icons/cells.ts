/** How many icons stand in a row of the sprite. */
export const columns = 10;

/**
 * Returns the cell of the icon or the flag at an index, as `data-icon` has it: row and column, such as `1-7`. A rule per row
 * and column takes a fifth of the bytes in the stylesheet that one per name does.
 */
export function cellAt(index: number): string {
  return `${Math.floor(index / columns)}-${index % columns}`;
}
