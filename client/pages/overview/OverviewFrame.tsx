import type { ReactNode } from "react";
import { Page } from "../Page.tsx";

interface OverviewFrameProps {
  text: (key: "heading" | "intro" | "skip") => string;
  title: string;
  styles: string[];
  scripts: string[];
  /** Content of the header below the introduction. */
  header?: ReactNode;
  children: ReactNode;
}

/** The document around the overview and the outbox. */
export function OverviewFrame({ text, title, styles, scripts, header, children }: OverviewFrameProps) {
  return (
    <Page locale="en" title={title} robots="noindex" styles={styles} scripts={scripts} className="sf-overview">
      <a className="sf-skip" href="#content">
        {text("skip")}
      </a>
      <header className="sf-overview-header">
        <div className="sf-overview-wide">
          <h1>{text("heading")}</h1>
          <p className="sf-overview-intro">{text("intro")}</p>
          {header}
        </div>
      </header>
      {children}
    </Page>
  );
}

/** Scrolls sideways what is wider than the page. It takes the focus, so that arrow keys scroll it, too. */
export function ScrollRegion({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a section without a heading would be odd
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards scroll only what has the focus
    <div role="region" aria-label={label} tabIndex={0} className="sf-scroll">
      {children}
    </div>
  );
}
