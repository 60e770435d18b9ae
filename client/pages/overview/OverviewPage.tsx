import { CodeBlock, CopyStatus } from "../code/CodeBlock.tsx";
import { TeamPage } from "../team/TeamPage.tsx";
import { FooterContent } from "./FooterContent.tsx";
import type { OverviewProps } from "./overview-props.ts";
import { CombinationMatrix, SelectionForm } from "./Selection.tsx";

/** Shows page teams the fragments in every site and state, and the code that includes them. */
export function OverviewPage({ text, navigation, styles, scripts, ...props }: OverviewProps) {
  const sections = ["combinations", "preview", "include", ...(props.contents ? ["contents" as const] : [])] as const;
  const contents = (
    <nav className="sf-team-contents" aria-label={text("toc.label")}>
      <ul>
        {sections.map((id) => (
          <li key={id}>
            <a href={`#${id}`}>{text(`toc.${id}`)}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
  return (
    <TeamPage
      navigation={navigation}
      title={text("title")}
      heading={text("heading")}
      intro={text("intro")}
      styles={styles}
      scripts={scripts}
      className="sf-overview"
      header={<Shops text={text} shops={props.shops} />}
      contents={contents}
    >
      <Faults text={text} faults={props.faults} />
      <section id="combinations" aria-labelledby="combinations-heading">
        <h2 id="combinations-heading">{text("combinations.heading")}</h2>
        <CombinationMatrix text={text} fragments={props.fragments} matrix={props.matrix} />
      </section>
      <section id="preview" aria-labelledby="preview-heading">
        <h2 id="preview-heading">{text("preview.heading")}</h2>
        <SelectionForm text={text} fields={props.fields} />
        <Preview text={text} {...props.preview} />
      </section>
      <section id="include" aria-labelledby="include-heading">
        <h2 id="include-heading">{text("include.heading")}</h2>
        <IncludeSnippets text={text} {...props.include} />
      </section>
      {props.contents && (
        <section id="contents" aria-labelledby="contents-heading">
          <h2 id="contents-heading">{text("contents.heading")}</h2>
          <FooterContent text={text} rows={props.contents} />
        </section>
      )}
    </TeamPage>
  );
}

function Shops({ text, shops }: Pick<OverviewProps, "text" | "shops">) {
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
    </nav>
  );
}

function Faults({ text, faults }: Pick<OverviewProps, "text" | "faults">) {
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

/** The selected answer in a frame as high as its content, which the script measures. Readers resize it by its corner. */
function Preview({ text, title, path, nothing }: Pick<OverviewProps, "text"> & OverviewProps["preview"]) {
  return (
    <>
      <p className="sf-overview-address">
        <strong>{title}</strong>
        <code>{path}</code>
        <a href={path}>{text("preview.open")}</a>
      </p>
      {nothing ? (
        <p className="sf-overview-nothing">{text(nothing)}</p>
      ) : (
        <div className="sf-overview-frame">
          <iframe title={title} src={path} loading="lazy" data-fit />
        </div>
      )}
    </>
  );
}

/** Code to copy, by composer. */
function IncludeSnippets({ text, introduction, snippets }: Pick<OverviewProps, "text"> & OverviewProps["include"]) {
  return (
    <>
      <p className="sf-overview-hint">{introduction}</p>
      {snippets.map((snippet, index) => (
        <details key={snippet.name} className="sf-overview-details" open={index === 0}>
          <summary>
            <h3>{text(snippet.name)}</h3>
          </summary>
          <p className="sf-overview-hint">{text(snippet.hint)}</p>
          {snippet.blocks.map((block) => (
            <CodeBlock
              key={block.label}
              id={`${snippet.name}-${block.label}`.replaceAll(".", "-")}
              label={text(block.label)}
              code={block.code}
              copy={{ text: text("copy"), what: `${text(snippet.name)}, ${text(block.label)}` }}
            />
          ))}
        </details>
      ))}
      <CopyStatus done={text("copy.done")} failed={text("copy.failed")} />
    </>
  );
}
