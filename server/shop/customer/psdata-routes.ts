import { Router } from "express";
import type { FindKnownEmail } from "../../services/customer-service.ts";

/** Answers what the login form wants to know: the e-mail address of a customer whose browser is known. */
export function psdataRoutes(findKnownEmail: FindKnownEmail): Router {
  const router = Router();
  router.get("/service/customerfrontenddata/api/v1/psdata", async (request, response) => {
    response.json({ email: await findKnownEmail(request) });
  });
  return router;
}
