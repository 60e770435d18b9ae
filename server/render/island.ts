import { type ComponentType, createElement } from "react";
import { renderToString } from "react-dom/server";
import type { IslandName } from "../../client/island-components.ts";
import type { IslandMarkup } from "../../client/islands/Island.tsx";

/**
 * Renders an island as a React root of its own. As a piece of a bigger tree, the ids that its `useId` gives would
 * differ from those in the browser.
 * @param name - the name under which the browser finds the component
 * @param prefix - the beginning of every id inside
 * @throws what the component throws
 */
export function renderIsland<Props extends object>(
  name: IslandName,
  component: ComponentType<Props>,
  props: Props,
  prefix: string,
): IslandMarkup {
  return { name, prefix, props, html: renderToString(createElement(component, props), { identifierPrefix: prefix }) };
}
