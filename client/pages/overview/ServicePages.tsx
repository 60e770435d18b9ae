import type { ReactNode } from "react";
import type openapi from "../../../locales/en/openapi.json";
import type { AssetFiles } from "../../assets/AssetTags.tsx";
import { CodeBlock, CopyStatus } from "../code/CodeBlock.tsx";
import { type TeamNavigation, TeamPage } from "../team/TeamPage.tsx";

/** Returns a text of these pages. */
type ServiceText = (key: keyof typeof openapi) => string;

/** What every page of the services needs. */
interface ServiceFrameProps extends AssetFiles {
  text: ServiceText;
  navigation: TeamNavigation;
  services: ListedService[];
}

interface ListedService {
  name: string;
  title: string;
  summary: string;
}

interface ServicePageProps extends ServiceFrameProps {
  /** The service that the page describes: its OpenAPI document, whose descriptions mark code with backticks. */
  service: ListedService & { description: string; calls: Call[]; schemas: Record<string, object> };
}

interface Call {
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

/** Lists the services. */
export function ServiceIndex(frame: ServiceFrameProps) {
  const { text, services } = frame;
  return (
    <ServiceFrame {...frame} heading={text("heading")} intro={text("intro")}>
      {services.map(({ name, title, summary }) => (
        <section key={name}>
          <h2>
            <a href={`/openapi/${name}`}>{title}</a>
          </h2>
          <p>{summary}</p>
        </section>
      ))}
    </ServiceFrame>
  );
}

/** Describes the calls of a service for readers, as its OpenAPI document does for programs. */
export function ServicePage({ service, ...frame }: ServicePageProps) {
  const { text } = frame;
  const { name, title, summary, description, calls, schemas } = service;
  return (
    <ServiceFrame {...frame} heading={title} intro={summary} service={service}>
      <section>
        <Prose text={description} />
        <p>
          <a href={`/openapi/${name}.json`}>{text("document")}</a>
        </p>
      </section>
      {calls.map((call) => (
        <CallSection key={call.operationId} text={text} {...call} />
      ))}
      <section aria-labelledby="schemas">
        <h2 id="schemas">{text("schemas")}</h2>
        {Object.entries(schemas).map(([schema, json]) => (
          <details key={schema} id={`schema-${schema}`} className="sf-overview-details">
            <summary>
              <h3>{schema}</h3>
            </summary>
            <pre className="sf-code-lines">{toJson(json)}</pre>
          </details>
        ))}
      </section>
      <CopyStatus done={text("copy.done")} failed={text("copy.failed")} />
    </ServiceFrame>
  );
}

interface FrameProps extends ServiceFrameProps {
  heading: string;
  intro: string;
  service?: ServicePageProps["service"];
  children: ReactNode;
}

/** A page with links to every service, and to the calls of the one that it describes. */
function ServiceFrame({ services, service, ...page }: FrameProps) {
  const { text, heading } = page;
  const contents = (
    <nav className="sf-team-contents" aria-label={text("contents")}>
      <a href="/openapi" aria-current={service ? undefined : "page"}>
        {text("all")}
      </a>
      <ul>
        {services.map(({ name, title }) => (
          <li key={name}>
            <a href={`/openapi/${name}`} aria-current={name === service?.name ? "page" : undefined}>
              {title}
            </a>
            {name === service?.name && (
              <ul className="sf-service-calls">
                {service.calls.map(({ operationId, summary }) => (
                  <li key={operationId}>
                    <a href={`#${operationId}`}>{summary}</a>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
  const title = service ? `${heading} – ${text("title")}` : text("title");
  return <TeamPage {...page} title={title} className="sf-overview" contents={contents} />;
}

function CallSection({
  text,
  operationId: id,
  method,
  path,
  summary,
  description,
  ...call
}: Call & { text: ServiceText }) {
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
  /** What the code is of, for screen readers. */
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

/** Shows a body's schema, or links to that of the document that it refers to. */
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

function toJson(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

function Prose({ text }: { text: string }) {
  return (
    <p className="sf-service-prose">
      <Words text={text} />
    </p>
  );
}

/** Shows what stands between backticks as code. */
function Words({ text }: { text: string }) {
  return text.split("`").map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts never move
    index % 2 === 1 ? <code key={index}>{part}</code> : part,
  );
}
