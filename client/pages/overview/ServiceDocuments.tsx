import type openapi from "../../../locales/en/openapi.json";

/** The services, and the fragments, with their OpenAPI documents. */
export interface ServiceDocumentsProps {
  text: (key: keyof typeof openapi) => string;
  documents: { name: string; title: string; summary: string }[];
}

/** Links to the OpenAPI document of each service. */
export function ServiceDocuments({ text, documents }: ServiceDocumentsProps) {
  return (
    <section id="services" aria-labelledby="services-heading">
      <h2 id="services-heading">{text("heading")}</h2>
      <p className="sf-overview-hint">{text("intro")}</p>
      <ul>
        {documents.map(({ name, title, summary }) => (
          <li key={name}>
            <a href={`/openapi/${name}.json`} type="application/json">
              {title}
            </a>
            : {summary}
          </li>
        ))}
      </ul>
    </section>
  );
}
