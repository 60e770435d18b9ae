import { ScrollTable } from "../team/TeamPage.tsx";
import type { OverviewField, OverviewProps } from "./overview-props.ts";

/** Every site in every state of a fragment. Each cell is a link that selects it. */
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
      <ScrollTable
        label={matrix.caption}
        hasCaption
        className="sf-overview-matrix"
        columns={[text("matrix.site"), ...matrix.states]}
      >
        {matrix.rows.map((row) => (
          <tr key={row.site}>
            <th scope="row">
              <span lang={row.locale}>{row.name}</span>{" "}
              <span className="sf-overview-quiet">
                {row.site} · {row.locale}
              </span>
            </th>
            {row.cells.map((cell, index) => (
              <td key={cell.href}>
                <a className="sf-overview-cell" href={cell.href} aria-current={cell.current || undefined}>
                  {row.site}
                  <span className="sf-visually-hidden">, {matrix.states[index]}</span>
                </a>
              </td>
            ))}
          </tr>
        ))}
      </ScrollTable>
    </>
  );
}

/** Selects a fragment, a site and any combination of parameters. */
export function SelectionForm({ text, fields }: Pick<OverviewProps, "text" | "fields">) {
  return (
    <form className="sf-overview-form" method="get" action="/#preview" aria-label={text("form.label")}>
      <div className="sf-overview-fields">
        {fields.map((field) => (
          <div key={field.name} className="sf-overview-field">
            <label htmlFor={`field-${field.name}`}>{field.label}</label>
            <Control {...field} />
            <p id={`hint-${field.name}`} className="sf-overview-hint">
              {field.hint}
            </p>
          </div>
        ))}
      </div>
      <div className="sf-overview-row">
        <button type="submit" className="sf-overview-button">
          {text("form.submit")}
        </button>
        <a href="/#preview">{text("form.reset")}</a>
      </div>
    </form>
  );
}

function Control({ name, value, options }: OverviewField) {
  const attributes = { id: `field-${name}`, name, defaultValue: value, "aria-describedby": `hint-${name}` };
  if (!options) return <input type="text" autoComplete="off" {...attributes} />;
  return (
    <select {...attributes}>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
