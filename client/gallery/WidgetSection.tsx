import { Advice } from "./Advice.tsx";
import type { GalleryText, WidgetEntry } from "./gallery-props.ts";
import { PropertyTable } from "./PropertyTable.tsx";
import { SpecimenFigure } from "./SpecimenFigure.tsx";

/** Everything about one widget. */
export function WidgetSection({ text, entry }: { text: GalleryText; entry: WidgetEntry }) {
  return (
    <section id={entry.widget} aria-labelledby={`${entry.widget}-heading`}>
      <h2 id={`${entry.widget}-heading`}>{entry.title}</h2>
      <p className="sf-gallery-purpose">{entry.purpose}</p>
      <Advice text={text} entry={entry} />
      <PropertyTable text={text} entry={entry} />
      <h3>{text("examples")}</h3>
      <div className="sf-specimens">
        {entry.specimens.map((specimen) => (
          <SpecimenFigure key={specimen.id} text={text} widget={entry.widget} specimen={specimen} />
        ))}
      </div>
    </section>
  );
}
