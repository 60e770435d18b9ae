import type { OverviewField, OverviewProps } from "./overview-props.ts";

/** The form that selects an answer of the service. The radio buttons for the width of the preview belong to it, too. */
export function SelectionForm({ text, fields }: Pick<OverviewProps, "text" | "fields">) {
  return (
    <form id="selection" className="sf-overview-form" method="get" action="/#preview" aria-label={text("form.label")}>
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
