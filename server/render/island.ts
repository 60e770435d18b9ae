import { type ComponentType, createElement } from "react";
import { renderToString } from "react-dom/server";
import type { IslandName } from "../../client/island-components.ts";
import type { IslandMarkup } from "../../client/islands/Island.tsx";

/**
 * Renders an island as a React root of its own: hydrating a piece of a bigger tree that uses `useId` doesn't match.
 * @param name - of the island that `component` is
 * @param prefix - starts the ids inside
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
