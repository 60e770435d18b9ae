import { ScrollRegion } from "../page/ScrollRegion.tsx";
import type { OverviewProps } from "./overview-props.ts";

/** Every site in every state of a fragment: each cell a link that selects it. */
export function CombinationMatrix({ text, fragments, matrix }: Pick<OverviewProps, "text" | "fragments" | "matrix">) {
  return (
    <>
      <p className="sf-overview-hint">{text("combinations.hint")}</p>
      <nav className="sf-overview-fragments" aria-label={text("fragments.label")}>
        <ul className="sf-overview-row">
          {fragments.map((fragment) => (
            <li key={fragment.name}>
              <a className="sf-overview-pill" href={fragment.href} aria-current={fragment.current || undefined}>
                {fragment.name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <ScrollRegion label={matrix.caption}>
        <table className="sf-overview-table sf-overview-matrix">
          <caption>{matrix.caption}</caption>
          <thead>
            <tr>
              <th scope="col">{text("matrix.site")}</th>
              {matrix.states.map((state) => (
                <th key={state} scope="col">
                  {state}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {matrix.rows.map((row) => (
              <tr key={row.site}>
                <th scope="row">
                  <span lang={row.locale}>{row.name}</span>{" "}
                  <span className="sf-overview-quiet">
                    {row.site} · {row.locale}
                  </span>
                </th>
                {row.cells.map((cell) => (
                  <td key={cell.href}>
                    <a className="sf-overview-cell" href={cell.href} aria-current={cell.current || undefined}>
                      {text(cell.current ? "matrix.shown" : "matrix.view")}
                      <span className="sf-visually-hidden"> {cell.label}</span>
                    </a>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </>
  );
}
