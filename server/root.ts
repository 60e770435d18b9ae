import { basename, dirname, join } from "node:path";

/** The folder that holds countries, locales and schemas: the repository, or `dist` once the service is built. */
export const root = dirname(import.meta.dirname);

const dist = basename(root) === "dist" ? root : join(root, "dist");

/** The folder of the built browser files. */
export const assetsFolder = join(dist, "assets");
