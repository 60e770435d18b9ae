import { basename, join, sep } from "node:path";

const here = import.meta.dirname;

/** The folder that holds server, countries, locales and schemas: `dist` for the built service, else the repository. */
export const root = here.slice(0, here.lastIndexOf(`${sep}server`));

/** The folder of what the build makes. */
export const dist = basename(root) === "dist" ? root : join(root, "dist");

/** The folder of the built browser files. */
export const assetsFolder = join(dist, "assets");
