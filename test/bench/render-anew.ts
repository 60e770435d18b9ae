import { renderToStaticMarkup } from "react-dom/server";
import type { StaticMarkup } from "../../server/render/static-markup.ts";

/** Keeps nothing: every part is rendered at every call. */
export const renderAnew: StaticMarkup = (_key, element) => renderToStaticMarkup(element());

/** Stands in for the function of the same name in server/render/static-markup.ts. */
export const createStaticMarkup = (): StaticMarkup => renderAnew;
