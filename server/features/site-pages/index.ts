import { type RequestHandler, Router } from "express";
import type { PreviewOf } from "../../rendering/visitor.ts";
import type { AppContext } from "../feature.ts";
import { demoPages, homeRoute } from "./demo-pages.tsx";
import type { ShownToTeams } from "./team-pages.ts";

/** The service's own pages: the demo shop, and those for the shop's teams. */
export async function createSitePages(context: AppContext, shown: ShownToTeams, previewOf: PreviewOf): Promise<Router> {
  const { demo, overview } = context.env;
  const handlers: RequestHandler[] = [
    ...(demo ? [homeRoute(context, shown.pages, previewOf)] : []),
    ...(overview ? await loadTeamPages() : []),
    ...(demo ? [demoPages(context, shown.pages, shown.contents)] : []),
  ];
  const router = Router();
  for (const handler of handlers) router.use(handler);
  return router;

  /** Loaded only if shown: with the widgets' examples, these pages are a tenth of the service's code. */
  async function loadTeamPages() {
    const { createTeamPages } = await import("./team-pages.ts");
    return createTeamPages(context, shown);
  }
}
