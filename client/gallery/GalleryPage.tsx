import { CopyStatus } from "../code/CopyStatus.tsx";
import { Page } from "../page/Page.tsx";
import type { GalleryProps } from "./gallery-props.ts";
import { WidgetSection } from "./WidgetSection.tsx";

/** The widget kit's documentation. */
export function GalleryPage({ text, styles, scripts, groups }: GalleryProps) {
  return (
    <Page locale="en" title={text("title")} robots="noindex" styles={styles} scripts={scripts} className="sf-gallery">
      <a className="sf-skip" href="#content">
        {text("skip")}
      </a>
      <header className="sf-gallery-header">
        <div className="sf-gallery-wide">
          <h1>{text("heading")}</h1>
          <p className="sf-gallery-intro">{text("intro")}</p>
        </div>
      </header>
      <div className="sf-gallery-wide sf-gallery-columns">
        <Contents text={text} groups={groups} />
        <main id="content" className="sf-gallery-main" tabIndex={-1}>
          {groups.flatMap(({ widgets }) =>
            widgets.map((entry) => <WidgetSection key={entry.widget} text={text} entry={entry} />),
          )}
        </main>
      </div>
      <CopyStatus done={text("copy.done")} failed={text("copy.failed")} />
    </Page>
  );
}

function Contents({ text, groups }: Pick<GalleryProps, "text" | "groups">) {
  return (
    <nav className="sf-gallery-contents" aria-label={text("contents")}>
      {groups.map(({ name, widgets }) => (
        <section key={name}>
          <h2>{text(`group.${name}`)}</h2>
          <ul>
            {widgets.map(({ widget, title }) => (
              <li key={widget}>
                <a href={`#${widget}`}>{title}</a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}
