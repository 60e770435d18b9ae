import { AnswerReport } from "./AnswerReport.tsx";
import { CombinationMatrix } from "./CombinationMatrix.tsx";
import { FragmentPreview } from "./FragmentPreview.tsx";
import { IncludeSnippets } from "./IncludeSnippets.tsx";
import { OverviewFrame } from "./OverviewFrame.tsx";
import type { OverviewProps, OverviewText } from "./overview-props.ts";
import { SelectionForm } from "./SelectionForm.tsx";

/** Shows page teams every answer of the service, and how to include it. */
export function OverviewPage({ text, styles, scripts, ...props }: OverviewProps) {
  return (
    <OverviewFrame
      text={text}
      title={text("title")}
      styles={styles}
      scripts={scripts}
      header={<Shops text={text} shops={props.shops} hasOutbox={props.hasOutbox} />}
    >
      <div className="sf-overview-wide sf-overview-columns">
        <Contents text={text} />
        <main id="content" className="sf-overview-main" tabIndex={-1}>
          <Faults text={text} faults={props.faults} />
          <section id="combinations" aria-labelledby="combinations-heading">
            <h2 id="combinations-heading">{text("combinations.heading")}</h2>
            <CombinationMatrix text={text} fragments={props.fragments} matrix={props.matrix} />
          </section>
          <section id="preview" aria-labelledby="preview-heading">
            <h2 id="preview-heading">{text("preview.heading")}</h2>
            <SelectionForm text={text} fields={props.fields} />
            <FragmentPreview text={text} {...props.preview} widths={props.widths} answer={props.answer} />
          </section>
          <section id="answer" aria-labelledby="answer-heading">
            <h2 id="answer-heading">{text("answer.heading")}</h2>
            <AnswerReport text={text} answer={props.answer} path={props.preview.path} />
          </section>
          <section id="include" aria-labelledby="include-heading">
            <h2 id="include-heading">{text("include.heading")}</h2>
            <IncludeSnippets text={text} {...props.include} />
          </section>
        </main>
      </div>
    </OverviewFrame>
  );
}

function Shops({ text, shops, hasOutbox }: Pick<OverviewProps, "text" | "shops" | "hasOutbox">) {
  return (
    <nav className="sf-overview-shops" aria-labelledby="shops">
      <h2 id="shops">{text("shops.heading")}</h2>
      <ul className="sf-overview-row">
        {shops.map((shop) => (
          <li key={shop.url}>
            <a className="sf-overview-pill" href={shop.url} lang={shop.locale} hrefLang={shop.locale}>
              {shop.name}
            </a>
          </li>
        ))}
      </ul>
      {hasOutbox && (
        <p className="sf-overview-outbox">
          {text("outbox.text")} <a href="/outbox">{text("outbox.link")}</a>
        </p>
      )}
    </nav>
  );
}

const sections = ["combinations", "preview", "answer", "include"] as const;

function Contents({ text }: { text: OverviewText }) {
  return (
    <nav className="sf-overview-contents" aria-label={text("toc.label")}>
      <ul>
        {sections.map((id) => (
          <li key={id}>
            <a href={`#${id}`}>{text(`toc.${id}`)}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Faults({ text, faults }: { text: OverviewText; faults: string[] }) {
  if (faults.length === 0) return null;
  return (
    <section className="sf-overview-notice" aria-labelledby="faults">
      <h2 id="faults">{text("faults.heading")}</h2>
      <ul>
        {faults.map((fault) => (
          <li key={fault}>{fault}</li>
        ))}
      </ul>
    </section>
  );
}
