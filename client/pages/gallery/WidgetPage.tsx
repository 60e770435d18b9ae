import { Island, type IslandMarkup } from "../../islands/Island.tsx";
import type { WidgetDoc, WidgetExample } from "../../widgets/widget-doc.ts";
import { CodeBlock, CopyStatus } from "../code/CodeBlock.tsx";
import { GalleryFrame, type GalleryFrameProps } from "./GalleryFrame.tsx";

interface WidgetPageProps extends GalleryFrameProps {
  doc: WidgetDoc;
  /** The languages in which the examples can be shown; empty if there is only one. */
  languages: SpecimenLanguage[];
  specimens: Specimen[];
}

interface SpecimenLanguage {
  locale: string;
  url: string;
  /** The language's name in that language. */
  name: string;
  isCurrent: boolean;
}

/** An example as the gallery shows it. */
export interface Specimen {
  example: WidgetExample;
  /** Its anchor, unique on the page. */
  id: string;
  /** The language of its texts. */
  locale: string;
  code: string;
  island: IslandMarkup;
}

/** The documentation of a widget: advice, accessibility, an example of every variant and state. */
export function WidgetPage({ doc, languages, specimens, ...frame }: WidgetPageProps) {
  const { text } = frame;
  return (
    <GalleryFrame {...frame} heading={doc.title} intro={doc.purpose}>
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
      <section aria-labelledby="accessibility" className="sf-gallery-notes">
        <h2 id="accessibility">{text("accessibility")}</h2>
        <List items={doc.accessibility} />
      </section>
      <section aria-labelledby="examples">
        <h2 id="examples">{text("examples")}</h2>
        {languages.length > 0 && (
          <nav aria-label={text("languages")}>
            <ul className="sf-gallery-languages">
              {languages.map(({ locale, url, name, isCurrent }) => (
                <li key={locale}>
                  <a href={url} lang={locale} aria-current={isCurrent ? "true" : undefined}>
                    {name}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        )}
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

function List({ items }: { items: string[] }) {
  return (
    <ul>
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  );
}

interface SpecimenFigureProps {
  text: GalleryFrameProps["text"];
  widget: string;
  specimen: Specimen;
}

function SpecimenFigure({ text, widget, specimen }: SpecimenFigureProps) {
  const { id, locale, code, island } = specimen;
  const { name, ...settings } = specimen.example;
  return (
    <figure
      className="sf-specimen"
      id={id}
      data-widget={widget}
      data-variant={settings.variant ?? "default"}
      data-size={settings.size ?? "default"}
      data-state={settings.state ?? "default"}
      data-example={name}
    >
      <figcaption>
        <a className="sf-specimen-name" href={`#${id}`}>
          {name}
        </a>
        <dl className="sf-specimen-settings">
          {(["variant", "size", "state"] as const).map(
            (setting) =>
              settings[setting] && (
                <div key={setting}>
                  <dt>{text(setting)}</dt>
                  <dd>{settings[setting]}</dd>
                </div>
              ),
          )}
        </dl>
      </figcaption>
      {/* Browsers expect fields in a form. One with the method dialog sends nothing. */}
      <form className="sf-specimen-stage" method="dialog" lang={locale}>
        <Island {...island} />
      </form>
      <details className="sf-specimen-code">
        <summary>{text("code")}</summary>
        <CodeBlock
          id={`${id}-code`}
          label="React"
          code={code}
          copy={{ text: text("copy"), what: `${widget}, ${name}` }}
        />
      </details>
    </figure>
  );
}
