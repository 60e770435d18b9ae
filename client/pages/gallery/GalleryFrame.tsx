import type { ReactNode } from "react";
import type gallery from "../../../locales/en/gallery.json";
import type { WidgetDoc } from "../../widgets/widget-doc.ts";
import { Page } from "../Page.tsx";

/** What every page of the gallery needs. */
export interface GalleryFrameProps {
  /** Returns one of the gallery's own texts. */
  text: (key: keyof typeof gallery) => string;
  styles: string[];
  scripts: string[];
  groups: { name: WidgetDoc["group"]; widgets: WidgetDoc[] }[];
  /** The widget that the page documents; undefined on the index. */
  widget?: string | undefined;
}

interface FrameProps extends GalleryFrameProps {
  heading: string;
  intro: string;
  children: ReactNode;
}

/** The document around a gallery page: heading and links to every widget. */
export function GalleryFrame({ text, styles, scripts, groups, widget, heading, intro, children }: FrameProps) {
  const title = widget ? `${heading} – ${text("title")}` : text("title");
  return (
    <Page locale="en" title={title} robots="noindex" styles={styles} scripts={scripts} className="sf-gallery">
      <a className="sf-skip" href="#content">
        {text("skip")}
      </a>
      <header className="sf-gallery-header">
        <div className="sf-gallery-wide">
          <h1>{heading}</h1>
          <p className="sf-gallery-intro">{intro}</p>
        </div>
      </header>
      <div className="sf-gallery-wide sf-gallery-columns">
        <nav className="sf-gallery-contents" aria-label={text("contents")}>
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
        <main id="content" className="sf-gallery-main" tabIndex={-1}>
          {children}
        </main>
      </div>
    </Page>
  );
}
