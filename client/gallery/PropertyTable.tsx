import { ScrollRegion } from "../page/ScrollRegion.tsx";
import type { WidgetDoc, WidgetProperty } from "../widgets/widget-doc.ts";
import type { GalleryText } from "./gallery-props.ts";

/** What can be set on a widget. */
export function PropertyTable({ text, doc }: { text: GalleryText; doc: WidgetDoc }) {
  return (
    <ScrollRegion label={`${doc.title}: ${text("properties")}`}>
      <table className="sf-properties">
        <thead>
          <tr>
            <th scope="col">{text("property.name")}</th>
            <th scope="col">{text("property.type")}</th>
            <th scope="col">{text("property.standard")}</th>
            <th scope="col">{text("property.text")}</th>
          </tr>
        </thead>
        <tbody>
          {doc.properties.map((property) => (
            <tr key={property.name}>
              <th scope="row">
                <code>{property.name}</code>
              </th>
              <td>
                <code>{typeOf(property)}</code>
              </td>
              <td>{property.standard ?? text("property.required")}</td>
              <td>{property.text}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

/** Writes the type of a property as TypeScript does: `"a" | "b"`. */
function typeOf({ type }: WidgetProperty): string {
  return typeof type === "string" ? type : type.map((value) => `"${value}"`).join(" | ");
}
