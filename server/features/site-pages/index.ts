import type { RequestHandler } from "express";
import type { AppContext } from "../feature.ts";
import { demoPages, homeRoute } from "./demo-pages.tsx";
import type { ShownToTeams } from "./team-pages.ts";

/** The service's own pages: the demo shop, and those for the shop's teams. */
export async function createSitePages(context: AppContext, shown: ShownToTeams): Promise<RequestHandler[]> {
  const { demo, overview } = context.env;
  return [
    homeRoute(context, shown.pages),
    ...(overview ? await loadTeamPages() : []),
    ...(demo ? [demoPages(context, shown.pages, shown.contents)] : []),
  ];

  /** Loaded only if shown: with the widgets' examples, these pages are a tenth of the service's code. */
  async function loadTeamPages() {
    const { createTeamPages } = await import("./team-pages.ts");
    return createTeamPages(context, shown);
  }
}
