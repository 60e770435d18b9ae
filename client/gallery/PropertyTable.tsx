import { ScrollRegion } from "../page/ScrollRegion.tsx";
import type { GalleryText, WidgetEntry } from "./gallery-props.ts";

/** What can be set on a widget. */
export function PropertyTable({ text, entry }: { text: GalleryText; entry: WidgetEntry }) {
  return (
    <ScrollRegion label={`${entry.title}: ${text("properties")}`}>
      <table className="sf-properties">
        <caption>{text("properties")}</caption>
        <thead>
          <tr>
            <th scope="col">{text("property.name")}</th>
            <th scope="col">{text("property.type")}</th>
            <th scope="col">{text("property.standard")}</th>
            <th scope="col">{text("property.text")}</th>
          </tr>
        </thead>
        <tbody>
          {entry.properties.map((property) => (
            <tr key={property.name}>
              <th scope="row">
                <code>{property.name}</code>
              </th>
              <td>
                <code>{property.type}</code>
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
