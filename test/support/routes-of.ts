import type { IRoute, Router } from "express";

/** Lists the routes of a router and of the routers in it. */
export function routesOf({ stack }: Pick<Router, "stack">): IRoute[] {
  return stack.flatMap(({ route, handle }) => ("stack" in handle ? routesOf(handle as Router) : (route ?? [])));
}

/** Returns the paths of a route. */
export function pathsOf({ path }: IRoute): string[] {
  return [path].flat();
}
