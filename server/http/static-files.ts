import { createHash } from "node:crypto";
import { extname } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { type Request, type RequestHandler, type Response, Router } from "express";
import expressStaticGzip from "express-static-gzip";
import type { Logos } from "../brand/load-images.ts";
import type { Assets } from "../platform/assets.ts";
import { assetsFolder } from "../platform/paths.ts";
import { allowMethods } from "./allow-methods.ts";
import { setCachePolicy } from "./cache-control.ts";
import { nameRoute } from "./request-log.ts";

/** Lets pages of other origins load a file. */
export const crossOriginHeaders = {
  "Access-Control-Allow-Origin": "*",
  "Cross-Origin-Resource-Policy": "cross-origin",
};

const readOnly = allowMethods(["GET", "HEAD"]);

/** Serves the built files, and the Brotli and gzip variants beside them. Their names carry a hash: browsers cache them for a year. */
function assetFiles(folder: string): RequestHandler[] {
  const files = expressStaticGzip(folder, {
    enableBrotli: true,
    orderPreference: ["br", "gzip"],
    index: false,
    serveStatic: {
      immutable: true,
      maxAge: "1y",
      redirect: false,
      setHeaders: (response) => response.setHeaders(new Map(Object.entries(crossOriginHeaders))),
    },
  });
  return [readOnly, files];
}

/** Serves files generated at the start from memory, with the same headers as those of the build. */
function generatedAssets(files: ReadonlyMap<string, Buffer>): RequestHandler[] {
  const generated = new Map([...files].map(([name, content]) => [`/${name}`, encode(name, content)]));
  return [
    readOnly,
    (request, response, next) => {
      const file = generated.get(request.path);
      if (!file) return next();
      sendHashed(request, response, file);
    },
  ];
}

/**
 * Sends a file whose name carries a hash, with the headers of the built files.
 * @param file - its content by encoding, the smallest first
 */
export function sendHashed(request: Request, response: Response, file: ReadonlyMap<string, Buffer>): void {
  const encoding = [...file.keys()].find((name) => request.acceptsEncodings(name)) ?? "identity";
  if (encoding !== "identity") response.set("Content-Encoding", encoding);
  setCachePolicy(response, "immutable");
  response.set(crossOriginHeaders).vary("Accept-Encoding").type(extname(request.path)).send(file.get(encoding));
}

/** Returns a file in each encoding, the smallest first. Images and fonts are compressed already. */
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
 * Serves images from memory. Their names carry no hash: browsers cache them for a day.
 * @param images - by the names of their files
 */
export function imageFiles(images: ReadonlyMap<string, Buffer>): RequestHandler[] {
  const files = new Map(
    [...images].map(([file, content]) => {
      const etag = `"${createHash("sha256").update(content).digest("base64url")}"`;
      return [`/${file}`, { content, etag }];
    }),
  );
  return [
    readOnly,
    ({ path }, response, next) => {
      const file = files.get(path);
      if (!file) return next();
      setCachePolicy(response, "image");
      response.set("ETag", file.etag).type(extname(path)).send(file.content);
    },
  ];
}

/** Path of the logos of payment methods, carriers and seals. */
export const logosPath = "/service/footer-images/logos";

/** Serves the built files and their inventory, those generated at the start, and the logos. */
export function staticFiles({ assets, logos }: { assets: Assets; logos: Logos }): Router {
  return Router()
    .get("/assets/inventory.json", nameRoute("/assets/*"), (_request, response) => {
      setCachePolicy(response, "public");
      response.set(crossOriginHeaders).json(assets.inventory);
    })
    .use("/assets", nameRoute("/assets/*"), generatedAssets(assets.made), assetFiles(assetsFolder))
    .use(logosPath, nameRoute(`${logosPath}/*`), imageFiles(logos));
}
