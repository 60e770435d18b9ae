import { Router } from "express";
import { parseQueryTime } from "../../../http/request-input.ts";
import { RequestError } from "../../../platform/errors.ts";
import { timeRule } from "../../../platform/time.ts";
import { abTestPath, type FindTests } from "../service.ts";

/** Answers the calls of the embedded A/B test service: the active tests, and the visitor's groups. */
export function abTestRoutes(findTests: FindTests): Router {
  const router = Router();

  router.get(`${abTestPath}/gettestsat`, async ({ query }, response) => {
    const at = query.time === undefined ? Date.now() : parseQueryTime(query.time);
    if (at === undefined)
      throw new RequestError("badRequest", "time is wrong", { fields: [{ field: "time", message: timeRule }] });
    response.json(await findTests(at));
  });

  // Different groups would need an identifier, and so the visitor's consent. So everybody is in the first group.
  router.get(`${abTestPath}/getassignment`, async (_request, response) => {
    const tests = await findTests(Date.now());
    response.json(tests.flatMap(({ name, groups: [first] }) => (first ? [{ name, group: first.name }] : [])));
  });
  return router;
}
