import { pipeline } from "node:stream/promises";
import type { Request, Response } from "express";
import type { RenderedFragment } from "./fragment-renderer.ts";

/**
 * Sends a body, or 304 where the client still has it. Express does so by itself when it sends a buffer, but not with a
 * stream.
 */
export async function sendFragment(request: Request, response: Response, { body }: RenderedFragment): Promise<void> {
  response.type("html");
  if (Buffer.isBuffer(body)) response.send(body);
  else if (request.fresh) response.status(304).end();
  else if (request.method === "HEAD") response.end();
  else await pipeline(body, response);
}
