import { type ComponentType, createElement } from "react";
import { renderToString } from "react-dom/server";
import type { IslandName } from "../../client/island-components.ts";
import type { IslandMarkup } from "../../client/islands/Island.tsx";

interface IslandSource<Props extends object> extends Pick<IslandMarkup, "actsFor" | "shared"> {
  /** The name under which the browser finds the component. */
  name: IslandName;
  component: ComponentType<Props>;
  /** All properties; those that are shared, too. */
  props: Props;
  /** The beginning of every id inside. */
  prefix: string;
}

/**
 * Renders an island as a React root of its own. As a piece of a bigger tree, the ids that its `useId` gives would
 * differ from those in the browser.
 * @throws what the component throws
 */
export function renderIsland<Props extends object>({ component, ...island }: IslandSource<Props>): IslandMarkup {
  const { props, prefix, shared } = island;
  const isOwn = ([key]: [string, unknown]) => !(shared && key in shared.props);
  return {
    ...island,
    props: Object.fromEntries(Object.entries(props).filter(isOwn)),
    html: renderToString(createElement(component, props), { identifierPrefix: prefix }),
  };
}
