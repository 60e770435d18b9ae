import { type RequestHandler, Router } from "express";
import { RequestError } from "../platform/errors.ts";
import { setCachePolicy } from "./cache-control.ts";

/**
 * Allows requests with some methods. Answers OPTIONS with these methods. For any other method, sets the header Allow
 * and throws RequestError.
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
 * Rejects requests for a router's paths with a method that the path doesn't have.
 * @param router - has all its routes; routers mounted in it count if they are mounted without a path
 */
export function allowMethodsOf(router: Router): Router {
  const answers = Router();
  for (const [path, methods] of methodsByPath(router)) answers.all(path, allowMethods([...methods]));
  return answers;
}

/**
 * Answers OPTIONS for the paths of a router. Mount it before the routers inside: Express would answer at the end of
 * each of them, with that router's methods only.
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
      // A layer added by `all` has no list of methods.
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
