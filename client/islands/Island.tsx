/** A server-rendered island: a React root of its own, hydrated alone. */
export interface IslandMarkup {
  /** The name of its component in client/island-components.ts. */
  name: string;
  /** The prefix of all ids inside, unique on the page. */
  prefix: string;
  /** The component's own props. Sent to the browser as JSON. */
  props: object;
  /** Props that several islands share. Browsers load them from this address. */
  shared?: { address: string; props: object } | undefined;
  /** The visitors for whom the island does something before they touch it. For them, it is hydrated near the window. */
  actsFor?: "everybody" | "customers" | undefined;
  html: string;
}

/** The server's markup of an island, with the data that hydration needs. */
export function Island({ name, prefix, props, shared, actsFor, html }: IslandMarkup) {
  return (
    <div
      data-island={name}
      data-island-state="idle"
      data-island-prefix={prefix}
      data-island-acts-for={actsFor}
      data-island-props={Object.keys(props).length > 0 ? JSON.stringify(props) : undefined}
      data-island-shared={shared?.address}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: markup that React rendered itself
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
