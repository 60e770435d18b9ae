import type { OverviewProps, OverviewSnippet, OverviewText } from "./overview-props.ts";

/** Code to copy, by composer. The script shows the buttons where a browser can copy. */
export function IncludeSnippets({
  text,
  introduction,
  snippets,
}: Pick<OverviewProps, "text"> & OverviewProps["include"]) {
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
            <CodeBlock key={block.label} text={text} snippet={snippet} block={block} />
          ))}
        </details>
      ))}
      <p
        className="sf-overview-status"
        role="status"
        data-copy-status
        data-done={text("copy.done")}
        data-failed={text("copy.failed")}
      />
    </>
  );
}

interface CodeBlockProps {
  text: OverviewText;
  snippet: OverviewSnippet;
  block: OverviewSnippet["blocks"][number];
}

function CodeBlock({ text, snippet, block }: CodeBlockProps) {
  const id = `${snippet.name}-${block.label}`.replaceAll(".", "-");
  return (
    <figure className="sf-overview-snippet">
      <figcaption>
        {text(block.label)}
        <button type="button" className="sf-overview-copy" data-copy={id} hidden>
          {text("copy")}
          <span className="sf-overview-hidden">
            {" "}
            {text(snippet.name)}, {text(block.label)}
          </span>
        </button>
      </figcaption>
      <pre className="sf-overview-code">
        <code id={id}>{block.code}</code>
      </pre>
    </figure>
  );
}
