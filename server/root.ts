import { basename, dirname, join } from "node:path";

/** The folder that holds countries, locales and schemas: `dist` for the built service, else the repository. */
export const root = dirname(import.meta.dirname);

/** The folder of what the build makes. */
export const dist = basename(root) === "dist" ? root : join(root, "dist");

/** The folder of the built browser files. */
export const assetsFolder = join(dist, "assets");
