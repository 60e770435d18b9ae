import type { ReactNode } from "react";
import type { AssetFiles } from "../../assets/AssetTags.tsx";
import { CopyStatus } from "../code/CodeBlock.tsx";
import { type TeamNavigation, TeamPage } from "../team/TeamPage.tsx";
import { CallSection, type ServiceText, type ShownCall, toJson } from "./CallSection.tsx";
import { Prose } from "./Prose.tsx";

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
  service: ListedService & { description: string; calls: ShownCall[]; schemas: Record<string, object> };
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
