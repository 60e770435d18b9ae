import type { ReactNode } from "react";
import type openapi from "../../../locales/en/openapi.json";
import type { AssetFiles } from "../../assets/AssetTags.tsx";
import { CodeBlock, CopyStatus } from "../code/CodeBlock.tsx";
import { type TeamNavigation, TeamPage } from "../team/TeamPage.tsx";

/** Returns a text of these pages. */
type ServiceText = (key: keyof typeof openapi) => string;

/** What every page of the services needs. */
export interface ServiceFrameProps extends AssetFiles {
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
  /** The service that the page describes. */
  service: ListedService & { description: string; calls: ShownCall[]; schemas: ShownSchema[] };
}

/** A call of a service. Its descriptions mark code with backticks. */
export interface ShownCall {
  /** Its anchor. */
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  parameters: ShownField[];
  bodies: ShownBody[];
  answers: { status: string; description: string; headers: ShownField[]; bodies: ShownBody[] }[];
}

/** A parameter or a header. */
export interface ShownField {
  name: string;
  /** Where a parameter is; undefined for a header of an answer. */
  place?: "path" | "query" | "header" | "cookie";
  isRequired: boolean;
  description: string;
  /** Empty without one. */
  example: string;
}

export interface ShownBody {
  mediaType: string;
  examples: string[];
  schema: ShownSchema | undefined;
}

/** A schema: by its name among those of the document, or as JSON. */
export interface ShownSchema {
  name?: string;
  json?: string;
}

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
        <CallSection key={call.id} text={text} call={call} />
      ))}
      <section aria-labelledby="schemas">
        <h2 id="schemas">{text("schemas")}</h2>
        {schemas.map((schema) => (
          <details key={schema.name} id={`schema-${schema.name}`} className="sf-overview-details">
            <summary>
              <h3>{schema.name}</h3>
            </summary>
            <pre className="sf-code-lines">{schema.json}</pre>
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
                {service.calls.map(({ id, summary }) => (
                  <li key={id}>
                    <a href={`#${id}`}>{summary}</a>
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

function CallSection({ text, call }: { text: ServiceText; call: ShownCall }) {
  const { id, method, path, summary, description, parameters, bodies, answers } = call;
  return (
    <section id={id} aria-labelledby={`${id}-heading`} className="sf-service-call">
      <h2 id={`${id}-heading`}>{summary}</h2>
      <p className="sf-service-address">
        <code>
          <strong>{method}</strong> {path}
        </code>
      </p>
      {description && <Prose text={description} />}
      {parameters.length + bodies.length > 0 && <h3>{text("request")}</h3>}
      <FieldList text={text} fields={parameters} />
      <Bodies text={text} id={`${id}-request`} what={summary} bodies={bodies} />
      <h3>{text("answers")}</h3>
      {answers.map(({ status, headers, ...answer }) => (
        <details key={status} className="sf-overview-details">
          <summary>
            <strong>{status}</strong> <Words text={answer.description} />
          </summary>
          <FieldList text={text} fields={headers} />
          <Bodies text={text} id={`${id}-${status}`} what={`${summary}, ${status}`} bodies={answer.bodies} />
        </details>
      ))}
    </section>
  );
}

function FieldList({ text, fields }: { text: ServiceText; fields: ShownField[] }) {
  if (fields.length === 0) return null;
  return (
    <dl className="sf-service-fields">
      {fields.map(({ name, place, isRequired, description, example }) => (
        <div key={`${place} ${name}`}>
          <dt>
            <code>{name}</code>
            <span className="sf-overview-quiet">
              {[place && text(`in.${place}`), isRequired && text("required")].filter(Boolean).join(", ")}
            </span>
          </dt>
          <dd>
            <Words text={description} />
            {example && (
              <>
                {" "}
                {text("example")}: <code>{example}</code>
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface BodiesProps {
  text: ServiceText;
  id: string;
  /** What the code is of, for screen readers. */
  what: string;
  bodies: ShownBody[];
}

function Bodies({ text, id, what, bodies }: BodiesProps) {
  return bodies.map(({ mediaType, examples, schema }) => (
    <div key={mediaType}>
      {examples.map((example, index) => (
        <CodeBlock
          key={example}
          id={`${id}-${index}`}
          label={mediaType}
          code={example}
          copy={{ text: text("copy"), what: examples.length > 1 ? `${what}, ${index + 1}` : what }}
        />
      ))}
      {schema?.name && (
        <p>
          {text("schema")}: <a href={`#schema-${schema.name}`}>{schema.name}</a>
        </p>
      )}
      {schema?.json && (
        <details className="sf-overview-details">
          <summary>{text("schema")}</summary>
          <pre className="sf-code-lines">{schema.json}</pre>
        </details>
      )}
    </div>
  ));
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
