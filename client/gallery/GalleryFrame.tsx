import type { ReactNode } from "react";
import { Page } from "../page/Page.tsx";
import type { GalleryFrameProps } from "./gallery-props.ts";

interface Heading {
  heading: string;
  intro: string;
  children: ReactNode;
}

/** What every page of the gallery has around its content: heading, and the way to every widget. */
export function GalleryFrame({
  text,
  styles,
  scripts,
  groups,
  widget,
  heading,
  intro,
  children,
}: GalleryFrameProps & Heading) {
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
        <Contents text={text} groups={groups} widget={widget} />
        <main id="content" className="sf-gallery-main" tabIndex={-1}>
          {children}
        </main>
      </div>
    </Page>
  );
}

function Contents({ text, groups, widget: current }: Pick<GalleryFrameProps, "text" | "groups" | "widget">) {
  return (
    <nav className="sf-gallery-contents" aria-label={text("contents")}>
      <a href="/widgets" aria-current={current ? undefined : "page"}>
        {text("all")}
      </a>
      {groups.map(({ name, widgets }) => (
        <section key={name}>
          <h2>{text(`group.${name}`)}</h2>
          <ul>
            {widgets.map(({ widget, title }) => (
              <li key={widget}>
                <a href={`/widgets/${widget}`} aria-current={widget === current ? "page" : undefined}>
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}
