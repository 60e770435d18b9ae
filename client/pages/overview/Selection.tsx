import type overview from "../../../locales/en/overview.json";
import { ScrollTable } from "../team/TeamPage.tsx";

/** Returns a text of the overview. */
export type OverviewText = (key: keyof typeof overview, values?: Record<string, string>) => string;

export interface MatrixProps {
  text: OverviewText;
  fragments: { name: string; href: string; current: boolean }[];
  fragment: string;
  states: string[];
  rows: {
    name: string;
    locale: string;
    site: string;
    /** The states of the site, in the order of `states`. */
    cells: { href: string; current: boolean }[];
  }[];
}

/** Every site in every state of a fragment. Each cell is a link that selects it. */
export function CombinationMatrix({ text, fragments, fragment, states, rows }: MatrixProps) {
  return (
    <>
      <p className="sf-overview-hint">{text("combinations.hint")}</p>
      <nav className="sf-overview-fragments" aria-label={text("fragments.label")}>
        <ul className="sf-overview-row">
          {fragments.map(({ name, href, current }) => (
            <li key={name}>
              <a className="sf-overview-pill" href={href} aria-current={current || undefined}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <ScrollTable
        label={text("matrix.caption", { fragment })}
        hasCaption
        className="sf-overview-matrix"
        columns={[text("matrix.site"), ...states]}
      >
        {rows.map(({ name, locale, site, cells }) => (
          <tr key={site}>
            <th scope="row">
              <span lang={locale}>{name}</span>{" "}
              <span className="sf-overview-quiet">
                {site} · {locale}
              </span>
            </th>
            {cells.map((cell, index) => (
              <td key={cell.href}>
                <a className="sf-overview-cell" href={cell.href} aria-current={cell.current || undefined}>
                  {site}
                  <span className="sf-visually-hidden">, {states[index]}</span>
                </a>
              </td>
            ))}
          </tr>
        ))}
      </ScrollTable>
    </>
  );
}

/** A control of the form: a select, or a text field if it has no `options`. */
export interface OverviewField {
  name: string;
  label: string;
  hint: string;
  value: string;
  options: { value: string; label: string }[] | undefined;
}

/** Selects a fragment, a site and any combination of parameters. */
export function SelectionForm({ text, fields }: { text: OverviewText; fields: OverviewField[] }) {
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
