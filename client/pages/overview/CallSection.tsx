import type openapi from "../../../locales/en/openapi.json";
import { CodeBlock } from "../code/CodeBlock.tsx";
import { Prose, Words } from "./Prose.tsx";

/** Returns a text of these pages. */
export type ServiceText = (key: keyof typeof openapi) => string;

/** A call of a service, as its OpenAPI document describes it. */
export interface ShownCall {
  operationId: string;
  method: string;
  path: string;
  summary: string;
  description?: string;
  parameters?: Field[];
  requestBody?: { content: Bodies };
  responses: Record<string, { description: string; headers?: Record<string, Omit<Field, "name">>; content?: Bodies }>;
}

/** A parameter, or a header of an answer. */
interface Field {
  name: string;
  /** Where a parameter is. */
  in?: "path" | "query" | "header" | "cookie";
  description: string;
  required?: boolean;
  example?: unknown;
}

/** By media type. */
type Bodies = Record<string, { schema?: object; example?: unknown; examples?: Record<string, { value: unknown }> }>;

/** Describes a call: its parameters and body, and its answers by status. */
export function CallSection({
  text,
  operationId: id,
  method,
  path,
  summary,
  description,
  ...call
}: ShownCall & { text: ServiceText }) {
  const { parameters = [], requestBody, responses } = call;
  return (
    <section id={id} aria-labelledby={`${id}-heading`} className="sf-service-call">
      <h2 id={`${id}-heading`}>{summary}</h2>
      <p className="sf-service-address">
        <code>
          <strong>{method}</strong> {path}
        </code>
      </p>
      {description && <Prose text={description} />}
      {(parameters.length > 0 || requestBody) && <h3>{text("request")}</h3>}
      <FieldList text={text} fields={parameters} />
      <BodyList text={text} id={`${id}-request`} what={summary} bodies={requestBody?.content} />
      <h3>{text("answers")}</h3>
      {Object.entries(responses).map(([status, { description: answer, headers = {}, content }]) => (
        <details key={status} className="sf-overview-details">
          <summary>
            <strong>{status}</strong> <Words text={answer} />
          </summary>
          <FieldList text={text} fields={Object.entries(headers).map(([name, header]) => ({ ...header, name }))} />
          <BodyList text={text} id={`${id}-${status}`} what={`${summary}, ${status}`} bodies={content} />
        </details>
      ))}
    </section>
  );
}

function FieldList({ text, fields }: { text: ServiceText; fields: Field[] }) {
  if (fields.length === 0) return null;
  return (
    <dl className="sf-service-fields">
      {fields.map(({ name, in: place, required, description, example }) => (
        <div key={`${place} ${name}`}>
          <dt>
            <code>{name}</code>
            <span className="sf-overview-quiet">
              {[place && text(`in.${place}`), required && text("required")].filter(Boolean).join(", ")}
            </span>
          </dt>
          <dd>
            <Words text={description} />
            {example !== undefined && (
              <>
                {" "}
                {text("example")}: <code>{[example].flat().join("\n")}</code>
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface BodyListProps {
  text: ServiceText;
  id: string;
  /** Names the code for screen readers. */
  what: string;
  bodies: Bodies | undefined;
}

function BodyList({ text, id, what, bodies = {} }: BodyListProps) {
  return Object.entries(bodies).map(([mediaType, { schema, example, examples }]) => {
    const all = examples ? Object.values(examples).map(({ value }) => value) : [example];
    return (
      <div key={mediaType}>
        {all.map(toJson).map((code, index) => (
          <CodeBlock
            key={code}
            id={`${id}-${index}`}
            label={mediaType}
            code={code}
            copy={{ text: text("copy"), what: all.length > 1 ? `${what}, ${index + 1}` : what }}
          />
        ))}
        {schema && <BodySchema text={text} schema={schema} />}
      </div>
    );
  });
}

/** Shows the schema of a body. A schema that the document names is shown as a link. */
function BodySchema({ text, schema }: { text: ServiceText; schema: object }) {
  if ("$ref" in schema) {
    const name = String(schema.$ref).split("/").at(-1);
    return (
      <p>
        {text("schema")}: <a href={`#schema-${name}`}>{name}</a>
      </p>
    );
  }
  return (
    <details className="sf-overview-details">
      <summary>{text("schema")}</summary>
      <pre className="sf-code-lines">{toJson(schema)}</pre>
    </details>
  );
}

/** Formats a value of a document: a text as it is, anything else as JSON. */
export function toJson(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
