/** An island as the server renders it: a React root of its own, to be hydrated alone. */
export interface IslandMarkup {
  /** Names the component that takes the markup over in the browser. */
  name: string;
  /** Every id inside starts with it; two islands of a page need different ones. */
  prefix: string;
  /** The component's own properties, which travel to the browser as JSON. */
  props: object;
  /** Its other properties, which several islands share: browsers load them from this address. */
  shared?: { address: string; props: object } | undefined;
  /** For whom the island does something before they touch it, and so is hydrated when it comes near the window. */
  actsFor?: "everybody" | "customers" | undefined;
  html: string;
}

/** Puts an island into a page: the server's markup, and what the browser needs to take it over. */
export function Island({ name, prefix, props, shared, actsFor, html }: IslandMarkup) {
  return (
    <div
      className="sf-island"
      data-island={name}
      data-island-state="idle"
      data-island-prefix={prefix}
      data-island-acts-for={actsFor}
      data-island-props={JSON.stringify(props)}
      data-island-shared={shared?.address}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: markup that React rendered itself
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
