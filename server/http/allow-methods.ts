import { type RequestHandler, Router } from "express";
import { RequestError } from "../errors.ts";
import { setAudience } from "./who-may-store.ts";

/**
 * Lets requests of some methods through. It answers OPTIONS with the methods there are, and throws RequestError for
 * every other method, with the header Allow set.
 * @param methods - names of methods, in capitals
 */
export function allowMethods(methods: readonly string[]): RequestHandler {
  const allow = [...methods, "OPTIONS"].join(", ");
  return ({ method }, response, next) => {
    if (methods.includes(method)) return next();
    setAudience(response, "page");
    response.set("Allow", allow);
    if (method !== "OPTIONS") throw new RequestError("wrongMethod", "the method is none of this address");
    response.status(204).end();
  };
}

/**
 * Answers requests for a path that a router has, with a method that it hasn't for this path.
 * @param router - has all its routes already; those of routers in it count where they are mounted without a path
 */
export function allowMethodsOf(router: Router): Router {
  const answers = Router();
  for (const [path, methods] of methodsByPath(router)) answers.all(path, allowMethods([...methods]));
  return answers;
}

/**
 * Answers OPTIONS for the paths that a router has. It stands before the routers in that one, as Express would answer at
 * the end of each of them, in its own way.
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
      // A handler of every method names none.
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
