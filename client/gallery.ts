import { galleryIslands } from "./island-components.ts";
import { startIslands } from "./islands/islands.ts";

startIslands(document, galleryIslands)(document);
