import type { ReactNode } from "react";
import type { AssetFiles } from "../../assets/AssetTags.tsx";
import { Page } from "../Page.tsx";

/** The links between the pages for the shop's teams, and the texts around them. */
export interface TeamNavigation {
  skip: string;
  label: string;
  /** `current` marks the page itself, or the page that it belongs to. */
  links: { href: string; text: string; current: "page" | "true" | undefined }[];
}

interface TeamPageProps extends AssetFiles {
  navigation: TeamNavigation;
  title: string;
  heading: string;
  intro: string;
  /** The body's class, for the rules of one page. */
  className: "sf-overview" | "sf-gallery";
  /** Content of the header below the introduction. */
  header?: ReactNode;
  /** Navigation, beside the content where there is room. */
  contents?: ReactNode;
  children: ReactNode;
}

/** The document around the pages for the shop's teams: the overview, the outbox and the widgets. */
export function TeamPage({ navigation, title, heading, intro, header, contents, children, ...page }: TeamPageProps) {
  return (
    <Page {...page} locale="en" title={title} robots="noindex" className={`sf-team ${page.className}`}>
      <a className="sf-skip" href="#content">
        {navigation.skip}
      </a>
      <nav className="sf-team-wide" aria-label={navigation.label}>
        <ul className="sf-team-navigation">
          {navigation.links.map(({ href, text, current }) => (
            <li key={href}>
              <a href={href} aria-current={current}>
                {text}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <header className="sf-team-header">
        <div className="sf-team-wide">
          <h1>{heading}</h1>
          <p className="sf-team-intro">{intro}</p>
          {header}
        </div>
      </header>
      <div className={contents ? "sf-team-wide sf-team-columns" : "sf-team-wide"}>
        {contents}
        <main id="content" className="sf-team-main" tabIndex={-1}>
          {children}
        </main>
      </div>
    </Page>
  );
}

interface ScrollTableProps {
  label: string;
  /** Whether the label is shown above the table. */
  hasCaption?: boolean;
  className: string;
  /** The headings of the columns. */
  columns: readonly string[];
  /** The rows. */
  children: ReactNode;
}

/** A table that scrolls sideways if it is wider than the page. It takes the focus, so that arrow keys scroll it, too. */
export function ScrollTable({ label, hasCaption = false, className, columns, children }: ScrollTableProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a section without a heading would be odd
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards scroll only what has the focus
    <div role="region" aria-label={label} tabIndex={0} className="sf-scroll">
      <table className={`sf-overview-table ${className}`}>
        {hasCaption && <caption>{label}</caption>}
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
