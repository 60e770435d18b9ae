import type { WidgetDoc } from "../widgets/widget-doc.ts";
import type { GalleryText } from "./gallery-props.ts";

/** When to use a widget, and when not. */
export function Advice({ text, doc }: { text: GalleryText; doc: WidgetDoc }) {
  return (
    <div className="sf-advice">
      <section className="sf-advice-do">
        <h2>{text("do")}</h2>
        <List items={doc.do} />
      </section>
      <section className="sf-advice-dont">
        <h2>{text("dont")}</h2>
        <List items={doc.dont} />
      </section>
    </div>
  );
}

function List({ items }: { items: string[] }) {
  return (
    <ul>
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  );
}
