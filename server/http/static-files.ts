import { extname } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Request, RequestHandler, Response } from "express";
import expressStaticGzip from "express-static-gzip";
import type { Logger } from "../platform/logger.ts";
import { allowMethods } from "./allow-methods.ts";
import { type CachePolicy, setCachePolicy } from "./cache-control.ts";
import { errorHandler } from "./error-handler.ts";
import { strongEtag } from "./etag.ts";

/** Lets pages of other origins load a file. */
export const crossOriginHeaders = {
  "Access-Control-Allow-Origin": "*",
  "Cross-Origin-Resource-Policy": "cross-origin",
};

/** A file in memory: its content by encoding, the smallest first. */
export type StoredFile = ReadonlyMap<string, { content: Buffer; etag: string }>;

/** Stores a file in memory, with the content of each of its encodings. */
export function storeFile(contents: Iterable<readonly [encoding: string, content: Buffer]>): StoredFile {
  return new Map(Array.from(contents, ([encoding, content]) => [encoding, { content, etag: strongEtag(content) }]));
}

/**
 * Sends a file from memory in the smallest encoding that the request accepts.
 * @param policy - "immutable" if the URL carries a hash of the content
 */
export function sendFile(request: Request, response: Response, file: StoredFile, policy: CachePolicy): void {
  const encoding = [...file.keys()].find((name) => request.acceptsEncodings(name)) ?? "identity";
  const { content, etag } = file.get(encoding) ?? {};
  if (encoding !== "identity") response.set("Content-Encoding", encoding);
  if (file.size > 1) response.vary("Accept-Encoding");
  if (etag) response.set("ETag", etag);
  setCachePolicy(response, policy);
  response.type(extname(request.path)).send(content);
}

/**
 * Serves the built files, and the Brotli and gzip variants beside them. Their names carry a hash, so browsers cache
 * them for a year.
 * @param names - the names of the files in the folder; no others are looked for
 */
export function builtFiles(folder: string, names: ReadonlySet<string>): RequestHandler {
  const serve = expressStaticGzip(folder, {
    enableBrotli: true,
    orderPreference: ["br", "gzip"],
    index: false,
    serveStatic: { immutable: true, maxAge: "1y", redirect: false },
  });
  return (request, response, next) => {
    if (names.has(request.path.slice(1))) serve(request, response, next);
    else next();
  };
}

/**
 * Serves files that were generated at the start, from memory, with the same headers as those of the build.
 * @param files - by their names, which carry a hash
 */
export function generatedFiles(files: ReadonlyMap<string, Buffer>): RequestHandler {
  const generated = new Map([...files].map(([name, content]) => [`/${name}`, storeFile(encode(name, content))]));
  return (request, response, next) => {
    const file = generated.get(request.path);
    if (file) sendFile(request, response, file, "immutable");
    else next();
  };
}

/** Returns a file in each encoding, the smallest first. Images and fonts are already compressed. */
function encode(name: string, content: Buffer): [encoding: string, content: Buffer][] {
  const plain: [string, Buffer] = ["identity", content];
  if (!/\.(?:css|svg)$/.test(name)) return [plain];
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  return [["br", brotliCompressSync(content, quality)], ["gzip", gzipSync(content, { level: 9 })], plain];
}

/** Allows only reading. */
export const readOnly = allowMethods(["GET", "HEAD"]);

/**
 * Creates the last handlers of a folder of files. A missing file gets an empty answer: a page for each invented name
 * would cost far more than its request.
 */
export function endOfFiles(logger: Logger) {
  const notFound: RequestHandler = (_request, response) => {
    setCachePolicy(response, "page");
    response.status(404).end();
  };
  return [notFound, errorHandler(logger, ({ status }, _failure, _request, response) => response.status(status).end())];
}
