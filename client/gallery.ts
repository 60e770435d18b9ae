import { galleryIslands } from "./island-components.ts";
import { createIslands } from "./islands/islands.ts";

const islands = createIslands(galleryIslands);
islands.watch(document);
islands.hydrateOnFocus(document);
