import type { ReactNode } from "react";
import { Page } from "../page/Page.tsx";

interface OverviewFrameProps {
  text: (key: "heading" | "intro" | "skip") => string;
  title: string;
  styles: string[];
  scripts: string[];
  /** What stands in the header below the introduction. */
  header?: ReactNode;
  children: ReactNode;
}

/** What the overview and the page about mails have around their content. */
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
