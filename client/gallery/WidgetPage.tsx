import { CopyStatus } from "../code/CopyStatus.tsx";
import { Island } from "../islands/Island.tsx";
import { Advice } from "./Advice.tsx";
import { GalleryFrame } from "./GalleryFrame.tsx";
import type { WidgetPageProps } from "./gallery-props.ts";
import { LanguageLinks } from "./LanguageLinks.tsx";
import { PropertyTable } from "./PropertyTable.tsx";
import { SpecimenFigure } from "./SpecimenFigure.tsx";

/** Everything about one widget. */
export function WidgetPage({ doc, playground, languages, specimens, ...frame }: WidgetPageProps) {
  const { text } = frame;
  return (
    <GalleryFrame {...frame} heading={doc.title} intro={doc.purpose}>
      <section aria-labelledby="playground">
        <h2 id="playground">{text("playground")}</h2>
        <Island {...playground} />
      </section>
      <Advice text={text} doc={doc} />
      <section aria-labelledby="accessibility">
        <h2 id="accessibility">{text("accessibility")}</h2>
        <ul className="sf-gallery-notes">
          {doc.accessibility.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="properties">
        <h2 id="properties">{text("properties")}</h2>
        <PropertyTable text={text} doc={doc} />
      </section>
      <section aria-labelledby="examples">
        <h2 id="examples">{text("examples")}</h2>
        {languages.length > 0 && <LanguageLinks text={text} languages={languages} />}
        <div className="sf-specimens">
          {specimens.map((specimen) => (
            <SpecimenFigure key={specimen.id} text={text} widget={doc.widget} specimen={specimen} />
          ))}
        </div>
      </section>
      <CopyStatus done={text("copy.done")} failed={text("copy.failed")} />
    </GalleryFrame>
  );
}
