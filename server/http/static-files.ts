import express, { type RequestHandler } from "express";
import expressStaticGzip from "express-static-gzip";

/** Serves the built files: their names carry a hash, so they never change; Brotli and gzip variants lie beside them. */
export function assetFiles(folder: string): RequestHandler {
  return expressStaticGzip(folder, {
    enableBrotli: true,
    orderPreference: ["br", "gzip"],
    index: false,
    serveStatic: {
      immutable: true,
      maxAge: "1y",
      redirect: false,
      setHeaders: (response) => {
        response.setHeader("Access-Control-Allow-Origin", "*");
        response.setHeader("Cross-Origin-Resource-Policy", "cross-origin");
      },
    },
  });
}

/** Serves the logos: they keep their names when they change, so browsers ask for them again after a day. */
export function logoFiles(folder: string): RequestHandler {
  return express.static(folder, { index: false, maxAge: "1d", redirect: false });
}
