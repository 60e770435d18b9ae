/** An island as the server renders it: a React root of its own, to be hydrated alone. */
export interface IslandMarkup {
  /** Names the component that takes the markup over in the browser. */
  name: string;
  /** Every id inside starts with it; two islands of a page need different ones. */
  prefix: string;
  /** The properties of the component, which travel to the browser as JSON. */
  props: object;
  html: string;
}

/** Puts an island into a page: the server's markup, and what the browser needs to take it over. */
export function Island({ name, prefix, props, html }: IslandMarkup) {
  return (
    <div
      className="sf-island"
      data-island={name}
      data-island-state="idle"
      data-island-prefix={prefix}
      data-island-props={JSON.stringify(props)}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: markup that React rendered itself
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
