import express, { type RequestHandler } from "express";
import expressStaticGzip from "express-static-gzip";
import { allowMethods } from "./allow-methods.ts";

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

/** Serves images that keep their names when they change: browsers keep them for a day. */
export function imageFiles(folder: string): RequestHandler[] {
  return [readOnly, express.static(folder, { index: false, maxAge: "1d", redirect: false })];
}
