import { readdirSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { BulkheadRejectedError } from "cockatiel";
import { type RequestHandler, Router } from "express";
import { type ImageKind, imageKinds, imagePaths } from "../../http/image-files.ts";
import { retryAfterOverload } from "../../http/load-shedding.ts";
import { nameRoute } from "../../http/request-log.ts";
import {
  builtFiles,
  crossOriginHeaders,
  endOfFiles,
  generatedFiles,
  readOnly,
  type StoredFile,
  sendFile,
  storeFile,
} from "../../http/static-files.ts";
import type { Assets } from "../../platform/assets.ts";
import { RequestError } from "../../platform/errors.ts";
import type { Job } from "../../platform/lifecycle.ts";
import { assetsFolder } from "../../platform/paths.ts";
import { createHousekeeping } from "../../store/housekeeping.ts";
import type { AppContext } from "../feature.ts";
import { archive, cleanUp, type Files, hasReplacedImages, imageName, isArchivable, listImages } from "./archive.ts";
import { createArchivedFiles } from "./archived-files.ts";

/** The keys of `Surrogate-Key` of what shows an image, and of the images. */
const keysWithImages = ["fragment-footer", "fragment-newsletter", "images"];

type Purge = (key: string) => Promise<void>;

const inventoryPath = "/assets/inventory.json";

/**
 * Serves the browser's files and images, and keeps those of every build that ran on the same store in the last 30 days: a
 * page that was made by one build, and is shown while another runs, gets its own files. Without a store, only those of
 * this build are there.
 * @param shared - what the features serve below /assets/ beside the built files, by name
 * @param purge - purges a `Surrogate-Key` from the edge; undefined without an edge to purge
 */
export function createAssetArchive(context: AppContext, shared: ReadonlyMap<string, Buffer>, purge?: Purge) {
  const { assets, logger, logos, pictures } = context;
  const images = { logos, pictures: pictures.files };
  const made = new Map([...assets.made, ...shared]);
  // The manifest of the build isn't for browsers, and has no hash in its name. The files of `dev` have one, and a mark.
  const built = new Set(readdirSync(assetsFolder).filter((name) => name !== "manifest.json"));
  const archived = createArchivedFiles(context);
  const inventory = storeFile([["identity", Buffer.from(JSON.stringify(assets.inventory))]]);

  const allowOrigins: RequestHandler = (_request, response, next) => {
    response.set(crossOriginHeaders);
    next();
  };
  const archivedFiles: RequestHandler = async (request, response, next) => {
    const file = await findArchived(request.path.slice(1));
    if (file) sendFile(request, response, file, "immutable");
    else next();
  };
  const routes = Router()
    .use("/assets", nameRoute("/assets/*"), allowOrigins)
    .get(inventoryPath, (request, response) => sendFile(request, response, inventory, "public"))
    .use("/assets", readOnly, generatedFiles(made), builtFiles(assetsFolder, built), archivedFiles, endOfFiles(logger));
  for (const kind of imageKinds)
    routes.use(imagePaths[kind], nameRoute(`${imagePaths[kind]}/*`), readOnly, imageFiles(kind), endOfFiles(logger));
  routes.use("/service/footer-images", endOfFiles(logger));
  return {
    routes,
    isKnown,
    jobs: [createArchiver(context, () => listFiles(assets, shared), listImages(images), purge)],
  };

  /** Finds an archived file, unless too many others are looked up. */
  async function findArchived(name: string): Promise<StoredFile | undefined> {
    try {
      return await archived.find(name);
    } catch (error) {
      if (!(error instanceof BulkheadRejectedError)) throw error;
      throw new RequestError("unavailable", "too many files are looked up", { retryAfter: retryAfterOverload() });
    }
  }

  /**
   * Serves the images of a kind. The URL in a fragment has the hash of the image that the fragment shows, which may be one of
   * another build. Without it, caches keep the image for minutes.
   */
  function imageFiles(kind: ImageKind): RequestHandler {
    const stored = new Map(
      Array.from(images[kind].values(), ({ file, content }) => [file, storeFile([["identity", content]])]),
    );
    return async (request, response, next) => {
      const file = request.path.slice(1);
      const { v: hash } = request.query;
      const own = stored.get(file);
      const isOwn = hash === undefined || hash === images[kind].get(file)?.hash;
      const found = typeof hash === "string" && !isOwn ? await findArchived(imageName(kind, file, hash)) : undefined;
      response.set("Surrogate-Key", "images");
      if (found) sendFile(request, response, found, "immutable");
      else if (!own) next();
      else sendFile(request, response, own, !isOwn ? "page" : hash ? "immutable" : "public");
    };
  }

  /** Whether a request is for a file of the build, or one in memory. */
  function isKnown({ method, url = "" }: IncomingMessage): boolean {
    if (method !== "GET" && method !== "HEAD") return false;
    const [path = "", query = ""] = url.split("?", 2);
    if (path.startsWith("/assets/")) {
      const name = path.slice("/assets/".length);
      return path === inventoryPath || built.has(name) || made.has(name) || archived.has(name);
    }
    const kind = imageKinds.find((one) => path.startsWith(`${imagePaths[one]}/`));
    if (!kind) return false;
    const file = path.slice(imagePaths[kind].length + 1);
    const own = images[kind].get(file)?.hash;
    const hash = /(?:^|&)v=([^&]*)/.exec(query)?.[1] ?? own;
    return hash !== undefined && (hash === own || archived.has(imageName(kind, file, hash)));
  }
}

/** Creates the job that adds the files of this build at the start, and deletes those of builds that run no more. */
function createArchiver(context: AppContext, list: () => Promise<Files>, images: Files, purge?: Purge): Job {
  let housekeeping: Job | undefined;
  return {
    async start() {
      const store = await context.openedStore();
      if (!store) return;
      const files = new Map([...(await list()), ...images]);
      await archive(store.db, files, Date.now());
      if (purge && (await hasReplacedImages(store.db, images, Date.now())))
        for (const key of keysWithImages) await purge(key);
      const names = [...files.keys()];
      housekeeping = createHousekeeping(() => cleanUp(store.db, names, Date.now()), store.db, context);
      await housekeeping.start();
    },
    close: async () => housekeeping?.close(),
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
