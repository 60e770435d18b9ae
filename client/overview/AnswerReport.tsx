import { HeaderTable } from "./HeaderTable.tsx";
import type { OverviewProps } from "./overview-props.ts";

const bytes = new Intl.NumberFormat("en", { style: "unit", unit: "byte", unitDisplay: "long" });

/** What the service has answered: status, sizes, headers, body. */
export function AnswerReport({ text, answer, path }: Pick<OverviewProps, "text" | "answer"> & { path: string }) {
  if ("failure" in answer) {
    return (
      <p className="sf-overview-notice">
        {text("answer.failed")} {answer.failure}
      </p>
    );
  }
  return (
    <>
      <p className="sf-overview-hint">{text("answer.hint")}</p>
      <dl className="sf-overview-facts">
        <div>
          <dt>{text("answer.status")}</dt>
          <dd>{answer.status}</dd>
        </div>
        <div>
          <dt>{text("answer.body")}</dt>
          <dd>{bytes.format(answer.bytes)}</dd>
        </div>
        <div>
          <dt>{text("answer.gzip")}</dt>
          <dd>{bytes.format(answer.gzipBytes)}</dd>
        </div>
      </dl>
      <HeaderTable
        label={text("answer.headers")}
        caption={
          <>
            {text("answer.headers")} <code>{path}</code>
          </>
        }
        columns={[text("answer.header"), text("answer.value")]}
        headers={answer.headers}
      />
      {answer.body && (
        <details className="sf-overview-details">
          <summary>{text("answer.html")}</summary>
          <pre className="sf-code-lines">
            <code>{answer.body}</code>
          </pre>
        </details>
      )}
    </>
  );
}
