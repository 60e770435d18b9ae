import type { ReactNode } from "react";
import { ScrollRegion } from "../page/ScrollRegion.tsx";

interface HeaderTableProps {
  /** Names the region in which the table scrolls. */
  label: string;
  caption?: ReactNode;
  /** What heads the two columns. */
  columns: [name: string, value: string];
  headers: [name: string, value: string][];
}

/** Lists the headers of an answer or a mail. */
export function HeaderTable({ label, caption, columns, headers }: HeaderTableProps) {
  return (
    <ScrollRegion label={label}>
      <table className="sf-overview-table sf-overview-headers">
        {caption && <caption>{caption}</caption>}
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {headers.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
