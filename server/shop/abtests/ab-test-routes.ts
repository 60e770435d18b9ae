import { Router } from "express";
import { RequestError } from "../../errors.ts";
import { readTime } from "../../http/read-time.ts";
import { timeRule } from "../../parse-time.ts";
import type { Database } from "../store/open-store.ts";
import { findActiveTests } from "./find-active-tests.ts";

/** Answers the calls of the A/B test service: what is tested at a time, and the groups of the visitor. */
export function abTestRoutes(db: Database): Router {
  const router = Router();

  router.get("/service/abtestfrontend/api/v1/gettestsat", async ({ query }, response) => {
    const at = query.time === undefined ? Date.now() : readTime(query.time);
    if (at === undefined)
      throw new RequestError("badRequest", "time is wrong", { fields: [{ field: "time", message: timeRule }] });
    response.json(await findActiveTests(db, at));
  });

  // To spread visitors over the groups takes something to know them by, which needs their consent. Without it,
  // everybody is in the first group.
  router.get("/service/abtestfrontend/api/v1/getassignment", async (_request, response) => {
    const tests = await findActiveTests(db, Date.now());
    response.json(tests.flatMap(({ name, groups: [first] }) => (first ? [{ name, group: first.name }] : [])));
  });
  return router;
}
