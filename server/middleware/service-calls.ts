import express, { type RequestHandler } from "express";

/** What all service calls have in common: their answers are kept nowhere, and their bodies are JSON, in bytes at most. */
export function serviceCalls(): RequestHandler[] {
  return [
    (_request, response, next) => {
      response.set("Cache-Control", "no-store");
      next();
    },
    express.json({ limit: "16kb" }),
  ];
}
