import { expect, it } from "vitest";
import { edgeRoutes } from "../../../server/http/edge-routes.ts";
import { pathsOf, routesOf } from "../../support/routes-of.ts";
import { createTestApp } from "../../support/test-app.ts";

/** The paths that edges answer by themselves, or send nowhere. */
const ownOfService = /^\/(?:livez|readyz|$)/;

it("edges send every route here, whichever service answers it", async () => {
  const { app } = await createTestApp({ overview: false });
  const isSent = (path: string) =>
    edgeRoutes.some((route) => (route.endsWith("/") ? path.startsWith(route) : path === route));
  const paths = routesOf(app.router).flatMap(pathsOf);
  expect(paths.length).toBeGreaterThan(30);
  expect(paths.filter((path) => !ownOfService.test(path) && !isSent(path))).toEqual([]);
});
