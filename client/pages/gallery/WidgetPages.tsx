import type { ReactNode } from "react";
import type gallery from "../../../locales/en/gallery.json";
import type { AssetFiles } from "../../assets/AssetTags.tsx";
import { Island, type IslandMarkup } from "../../islands/Island.tsx";
import type { WidgetDoc, WidgetExample, WidgetTexts } from "../../widgets/widget-doc.ts";
import { CodeBlock, CopyStatus } from "../code/CodeBlock.tsx";
import { type TeamNavigation, TeamPage } from "../team/TeamPage.tsx";

/** What every page of the gallery needs. */
export interface GalleryProps extends AssetFiles {
  /** Returns one of the gallery's own texts. */
  text: (key: keyof typeof gallery) => string;
  navigation: TeamNavigation;
  groups: { name: WidgetDoc["group"]; widgets: WidgetDoc[] }[];
}

/** Lists every widget with a picture: the widget itself, made inert. */
export function WidgetIndex({ texts, ...frame }: GalleryProps & { texts: WidgetTexts }) {
  const { text, groups } = frame;
  return (
    <GalleryFrame {...frame} heading={text("heading")} intro={text("intro")}>
      {groups.map(({ name, widgets }) => (
        <section key={name} aria-labelledby={`group-${name}`}>
          <h2 id={`group-${name}`}>{text(`group.${name}`)}</h2>
          <ul className="sf-gallery-cards">
            {widgets.map(({ widget, title, purpose, picture, examples: [first] }) => (
              <li key={widget} className="sf-gallery-card">
                <div className="sf-gallery-picture" inert>
                  {picture ? picture(texts) : first?.render(texts)}
                </div>
                <h3>
                  <a href={`/widgets/${widget}`}>{title}</a>
                </h3>
                <p>{purpose}</p>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </GalleryFrame>
  );
}

interface WidgetPageProps extends GalleryProps {
  doc: WidgetDoc;
  /** The language of the examples' texts. */
  locale: string;
  /** The languages in which the examples can be shown, each by its own name; empty if there is only one. */
  languages: { locale: string; url: string; name: string }[];
  /** Renders the examples. Called after the page's head was sent. */
  specimens: () => Specimen[];
}

/** An example as the gallery shows it. */
interface Specimen {
  example: WidgetExample;
  /** Its anchor, unique on the page. */
  id: string;
  code: string;
  island: IslandMarkup;
}

/** The documentation of a widget: advice, accessibility, an example of every variant and state. */
export function WidgetPage({ doc, locale, languages, specimens, ...frame }: WidgetPageProps) {
  const { text } = frame;
  const Specimens = () =>
    specimens().map((specimen) => (
      <SpecimenFigure key={specimen.id} text={text} widget={doc.widget} locale={locale} {...specimen} />
    ));
  return (
    <GalleryFrame {...frame} widget={doc.widget} heading={doc.title} intro={doc.purpose}>
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
              {languages.map((language) => (
                <li key={language.locale}>
                  <a
                    href={language.url}
                    lang={language.locale}
                    aria-current={language.locale === locale ? "true" : undefined}
                  >
                    {language.name}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        )}
        <div className="sf-specimens">
          <Specimens />
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

interface SpecimenFigureProps extends Pick<WidgetPageProps, "text" | "locale">, Specimen {
  widget: string;
}

function SpecimenFigure({ text, widget, locale, example, id, code, island }: SpecimenFigureProps) {
  const { name, ...settings } = example;
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
      {/* Browsers expect fields in a form. A form with the method dialog sends nothing. */}
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

interface FrameProps extends GalleryProps {
  /** The widget that the page documents; undefined on the index. */
  widget?: string;
  heading: string;
  intro: string;
  children: ReactNode;
}

/** A page of the gallery, with links to every widget. */
function GalleryFrame({ groups, widget, ...page }: FrameProps) {
  const { text, heading } = page;
  const contents = (
    <nav className="sf-team-contents" aria-label={text("contents")}>
      <a href="/widgets" aria-current={widget ? undefined : "page"}>
        {text("all")}
      </a>
      {groups.map((group) => (
        <section key={group.name}>
          <h2>{text(`group.${group.name}`)}</h2>
          <ul>
            {group.widgets.map((doc) => (
              <li key={doc.widget}>
                <a href={`/widgets/${doc.widget}`} aria-current={doc.widget === widget ? "page" : undefined}>
                  {doc.title}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
  const title = widget ? `${heading} – ${text("title")}` : text("title");
  return <TeamPage {...page} title={title} className="sf-gallery" contents={contents} />;
}
