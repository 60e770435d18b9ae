import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Assets } from "../../platform/assets.ts";
import { assetsFolder } from "../../platform/paths.ts";
import type { AppContext } from "../feature.ts";
import { isArchivable } from "./archive-names.ts";
import { createAssetRoutes } from "./asset-routes.ts";
import { type Files, listImages } from "./embedded/archive.ts";
import { createArchivedFiles } from "./embedded/archived-files.ts";
import { createArchiver, type PurgeKey } from "./embedded/archiver.ts";

/**
 * Serves the browser's files and images, and keeps those of every build that ran on the same store in the last 30 days.
 * So a page of an earlier build still gets its files. Without a store, only those of this build are available.
 * @param shared - what the features serve below /assets/ in addition to the built files, by name
 * @param purge - purges a `Surrogate-Key` from the edge; undefined without an edge to purge
 */
export function createAssetArchive(context: AppContext, shared: ReadonlyMap<string, Buffer>, purge?: PurgeKey) {
  const { assets, logos, pictures } = context;
  const images = listImages({ logos, pictures: pictures.files });
  return {
    ...createAssetRoutes(context, new Map([...assets.made, ...shared]), createArchivedFiles(context)),
    jobs: [createArchiver(context, () => listFiles(assets, shared), images, purge)],
  };
}

/** Lists all files with hashed names that this build serves below /assets/, in each encoding. */
export async function listFiles(assets: Assets, made: ReadonlyMap<string, Buffer>): Promise<Files> {
  const names = (await readdir(assetsFolder)).filter((name) => isArchivable(name.replace(/\.(br|gz)$/, "")));
  return new Map([
    ...names.map((name) => [name, () => readFile(join(assetsFolder, name))] as const),
    ...[...assets.made, ...made].map(([name, content]) => [name, async () => content] as const),
  ]);
}
