import { type RequestHandler, Router } from "express";
import { RequestError } from "../platform/errors.ts";
import { setCachePolicy } from "./cache-control.ts";

/**
 * Allows requests with some methods. It answers OPTIONS with them, and throws RequestError for any other method, with
 * the header Allow set.
 * @param methods - in capitals
 */
export function allowMethods(methods: readonly string[]): RequestHandler {
  const allow = [...new Set([...methods, "OPTIONS"])].join(", ");
  return ({ method }, response, next) => {
    if (methods.includes(method)) return next();
    setCachePolicy(response, "page");
    response.set("Allow", allow);
    if (method !== "OPTIONS") throw new RequestError("wrongMethod", "this address doesn't support the method");
    response.status(204).end();
  };
}

/**
 * Answers requests for the paths of a router with a method that the path doesn't have.
 * @param router - has all its routes; those of routers in it count if they are mounted without a path
 */
export function allowMethodsOf(router: Router): Router {
  const answers = Router();
  for (const [path, methods] of methodsByPath(router)) answers.all(path, allowMethods([...methods]));
  return answers;
}

/**
 * Answers OPTIONS for the paths of a router. Mounted before the routers in it: Express would answer at the end of each
 * of them, with the methods of that one alone.
 * @param router - has all its routes when the first request comes
 */
export function answerOptionsOf(router: Router): RequestHandler {
  let answers: Router | undefined;
  return (request, response, next) => {
    if (request.method !== "OPTIONS") return next();
    answers ??= allowMethodsOf(router);
    answers(request, response, next);
  };
}

function methodsByPath(router: Router, found = new Map<string, Set<string>>()): Map<string, Set<string>> {
  for (const { route, handle } of router.stack) {
    if (isRouter(handle)) methodsByPath(handle, found);
    for (const path of route ? [route.path].flat() : []) {
      const methods = found.get(path) ?? new Set();
      // A layer added by `all` lists no method.
      for (const { method } of route?.stack ?? []) if (method) methods.add(method.toUpperCase());
      if (methods.has("GET")) methods.add("HEAD");
      found.set(path, methods);
    }
  }
  return found;
}

function isRouter(handler: RequestHandler): handler is Router {
  return "stack" in handler;
}
