import { renderToStaticMarkup } from "react-dom/server";
import type { StaticMarkup } from "../../server/render/static-markup.ts";

/** Renders every part at every call, and keeps nothing. */
export const renderAnew: StaticMarkup = (_key, element) => renderToStaticMarkup(element);

/** Stands in for the function of the same name in server/render/static-markup.ts. */
export const createStaticMarkup = (): StaticMarkup => renderAnew;
