import express, { type RequestHandler } from "express";
import { RequestError } from "../errors.ts";

const json = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/**
 * Reads the body of a call, which must be JSON in UTF-8 and not compressed.
 * @param limit - its greatest length in bytes
 * @returns a handler that passes a RequestError on when the body is anything else
 */
export function jsonBody(limit: number): RequestHandler {
  const parse = express.json({ limit, inflate: false, type: () => true });
  return (request, response, next) => {
    if (!json.test(request.get("Content-Type") ?? "")) {
      throw new RequestError("badRequest", "the body must be JSON in UTF-8: Content-Type: application/json");
    }
    parse(request, response, (error: unknown) => {
      next(error && new RequestError("badRequest", `the body must be JSON of at most ${limit} bytes, not compressed`));
    });
  };
}
