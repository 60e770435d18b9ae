import type { RequestHandler } from "express";
import type { PageRenderer } from "./page-renderer.tsx";

/** Answers requests that no route has taken: people get a page of the shop, programs an empty body. */
export function notFound(pages: PageRenderer): RequestHandler {
  return async (request, response) => {
    response.status(404);
    if (request.method === "GET" && request.accepts("html")) await pages.sendMessage(request, response, "notFound");
    else response.end();
  };
}
