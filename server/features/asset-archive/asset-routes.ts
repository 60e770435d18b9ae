import { readdirSync } from "node:fs";
import type { IncomingMessage } from "node:http";
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
import { RequestError } from "../../platform/errors.ts";
import { assetsFolder } from "../../platform/paths.ts";
import type { AppContext } from "../feature.ts";
import { imageName } from "./archive-names.ts";
import type { ArchivedFiles } from "./service.ts";

const inventoryPath = "/assets/inventory.json";

/**
 * Serves the browser's files and images: those of this build, and archived ones of other builds.
 * @param made - files in memory below /assets/, by name
 */
export function createAssetRoutes(context: AppContext, made: ReadonlyMap<string, Buffer>, archived: ArchivedFiles) {
  const { assets, edgeTags, logger, logos, pictures } = context;
  const images = { logos, pictures: pictures.files };
  const imageTags = edgeTags.headersOf(["images"]);
  // The manifest of the build isn't for browsers, and its name has no hash. The names of `dev` have a hash, and a mark.
  const built = new Set(readdirSync(assetsFolder).filter((name) => name !== "manifest.json"));
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
  return { routes, isKnown };

  /** Finds an archived file, unless too many lookups are waiting. */
  async function findArchived(name: string): Promise<StoredFile | undefined> {
    try {
      return await archived.find(name);
    } catch (error) {
      if (!(error instanceof BulkheadRejectedError)) throw error;
      throw new RequestError("unavailable", "too many files are looked up", { retryAfter: retryAfterOverload() });
    }
  }

  /**
   * Serves the images of a kind. The URL in a fragment has the hash of its image, which may be one of another build. An
   * image without a hash in its URL is cached for minutes only.
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
      response.set(imageTags);
      // Exported footers show logos on pages of other hosts.
      if (kind === "logos") response.set("Cross-Origin-Resource-Policy", "cross-origin");
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
