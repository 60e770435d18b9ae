import { join, sep } from "node:path";

const here = import.meta.dirname;

/** The folder of server, countries, locales and schemas: in the package or the image, or else in the repository. */
export const root = here.slice(0, here.lastIndexOf(`${sep}server`));

/** Whether this is the built service, as in the package and the image. */
export const isBuilt = import.meta.filename.endsWith(".js");

/** The output folder of the build. */
export const dist = isBuilt ? root : join(root, "dist");

/** The folder of the built browser files. */
export const assetsFolder = join(dist, "assets");
