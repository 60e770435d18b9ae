import { Router } from "express";
import type { Identify } from "../../services/customer-service.ts";

/** Answers what the login form wants to know: the e-mail address of a customer who is signed in. */
export function psdataRoutes(identify: Identify): Router {
  const router = Router();
  router.get("/service/customerfrontenddata/api/v1/psdata", async (request, response) => {
    const customer = await identify(request);
    response.json({ email: customer?.email });
  });
  return router;
}
