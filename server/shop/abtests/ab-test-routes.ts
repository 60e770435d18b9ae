import { Router } from "express";
import { readTime } from "../../http/read-time.ts";
import type { Database } from "../store/open-store.ts";
import { findActiveTests } from "./find-active-tests.ts";

/** The A/B test service: what is tested at a time, and the groups of the visitor. */
export function abTestRoutes(db: Database): Router {
  const router = Router();

  router.get("/service/abtestfrontend/api/v1/gettestsat", async ({ query }, response) => {
    response.json(await findActiveTests(db, query.time === undefined ? new Date() : readTime("time", query.time)));
  });

  // Spreading visitors over the groups takes something to know them by, which needs their consent: without it
  // everybody is in the first group.
  router.get("/service/abtestfrontend/api/v1/getassignment", async (_request, response) => {
    const tests = await findActiveTests(db, new Date());
    response.json(tests.flatMap(({ name, groups: [first] }) => (first ? [{ name, group: first.name }] : [])));
  });
  return router;
}
