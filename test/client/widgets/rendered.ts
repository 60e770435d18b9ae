import { load } from "cheerio";
import type { ReactElement } from "react";
import { renderToString } from "react-dom/server";
import english from "../../../locales/en/widgets.json" with { type: "json" };

/** The kit's words, in English. */
export const texts = english;

/**
 * Renders an element on the server.
 * @returns its markup, to be queried
 */
export function rendered(element: ReactElement) {
  return load(renderToString(element), null, false);
}
