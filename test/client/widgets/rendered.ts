import { load } from "cheerio";
import type { ReactElement } from "react";
import { renderToString } from "react-dom/server";
import english from "../../../locales/en/widgets.json" with { type: "json" };

/** The kit's words, in English. */
export const texts = english;

/** The markup that the server gives for an element, to look around in. */
export function rendered(element: ReactElement) {
  return load(renderToString(element), null, false);
}
