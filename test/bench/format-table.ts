import type { Summary } from "./summarize.ts";

/** Lays cells out in columns: the first one to the left, numbers to the right. */
export function formatTable(rows: readonly string[][]): string {
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  return rows
    .map((row) =>
      row.map((cell, column) => (column === 0 ? cell.padEnd(width(0)) : cell.padStart(width(column)))).join("   "),
    )
    .join("\n");
}

/** Writes a median with the range of the rounds, where there is one, in three digits. */
export function formatSummary({ median, min, max }: Summary): string {
  if (min === max) return format(median);
  return `${format(median)} (${format(min)} to ${format(max)})`;
}

function format(value: number): string {
  if (value >= 100) return value.toFixed(0);
  return value.toPrecision(3);
}
