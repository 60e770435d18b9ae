import { CodeBlock } from "../code/CodeBlock.tsx";
import { CopyStatus } from "../code/CopyStatus.tsx";
import type { OverviewProps } from "./overview-props.ts";

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
