import { extname } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import express, { type RequestHandler } from "express";
import expressStaticGzip from "express-static-gzip";
import { allowMethods } from "./allow-methods.ts";
import { forGood } from "./who-may-store.ts";

const readOnly = allowMethods(["GET", "HEAD"]);

/**
 * Serves the built files, and their Brotli and gzip variants that lie beside them. Browsers keep a file for a year: its
 * name carries a hash of its content.
 */
export function assetFiles(folder: string): RequestHandler[] {
  const files = expressStaticGzip(folder, {
    enableBrotli: true,
    orderPreference: ["br", "gzip"],
    index: false,
    serveStatic: { immutable: true, maxAge: "1y", redirect: false },
  });
  return [readOnly, files];
}

/** Serves files that the start has made, by their names, as those of the build are. */
export function madeFiles(files: ReadonlyMap<string, Buffer>): RequestHandler[] {
  const made = new Map([...files].map(([name, content]) => [`/${name}`, encode(name, content)]));
  return [
    readOnly,
    (request, response, next) => {
      const file = made.get(request.path);
      if (!file) return next();
      const encoding = [...file.keys()].find((name) => request.acceptsEncodings(name)) ?? "identity";
      if (encoding !== "identity") response.set("Content-Encoding", encoding);
      response
        .vary("Accept-Encoding")
        .set("Cache-Control", forGood)
        .type(extname(request.path))
        .send(file.get(encoding));
    },
  ];
}

/** Gives a file in each encoding, the best first, compressed as the build does it. What is no text is compressed already. */
function encode(name: string, content: Buffer): Map<string, Buffer> {
  const plain = new Map([["identity", content]]);
  if (!/\.(?:css|svg)$/.test(name)) return plain;
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  const compressed: [string, Buffer][] = [
    ["br", brotliCompressSync(content, quality)],
    ["gzip", gzipSync(content, { level: 9 })],
  ];
  return new Map([...compressed, ...plain]);
}

/**
 * Serves images that keep their names when they change: browsers keep them for a day.
 * @param folders - where they are; the first that has one has the last word
 */
export function imageFiles(folders: readonly string[]): RequestHandler[] {
  return [
    readOnly,
    ...folders.map((folder) => express.static(folder, { index: false, maxAge: "1d", redirect: false })),
  ];
}
