import type { GalleryText, WidgetEntry } from "./gallery-props.ts";

/** When to use a widget, and when not. */
export function Advice({ text, entry }: { text: GalleryText; entry: WidgetEntry }) {
  return (
    <div className="sf-advice">
      <section className="sf-advice-do">
        <h3>{text("do")}</h3>
        <List items={entry.do} />
      </section>
      <section className="sf-advice-dont">
        <h3>{text("dont")}</h3>
        <List items={entry.dont} />
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
