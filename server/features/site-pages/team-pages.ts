import type { RequestHandler } from "express";
import type { Fragment } from "../../rendering/fragment.ts";
import type { PageRenderer } from "../../rendering/page-renderer.tsx";
import type { Contents } from "../content/service.ts";
import type { AppContext } from "../feature.ts";
import type { MailReader } from "../newsletter/service.ts";
import { documentsRoute } from "./documents-route.ts";
import { outboxRoute } from "./outbox-route.tsx";
import { overviewRoute } from "./overview-route.tsx";
import { createTeamNavigation } from "./team-navigation.ts";
import { widgetsRoute } from "./widgets-route.tsx";

export interface ShownToTeams {
  contents: Contents;
  fragments: readonly Fragment[];
  /** The fragment for the head of pages. */
  head: Fragment;
  /** The newsletter's mails; undefined if they aren't shown. */
  mails: MailReader | undefined;
  /** The path of the page where staff sign in; empty if a real service has its own. */
  staffLogin: readonly string[];
  pages: PageRenderer;
}

/** The pages for the shop's teams: the overview of the fragments, the services, the widgets and the outbox. */
export function createTeamPages(
  context: AppContext,
  { contents, fragments, head, mails, staffLogin, pages }: ShownToTeams,
): RequestHandler[] {
  const navigate = createTeamNavigation(context, mails !== undefined, staffLogin);
  return [
    overviewRoute(context, pages, navigate, { contents, fragments, head }),
    documentsRoute(),
    widgetsRoute(context, pages, navigate),
    ...(mails ? [outboxRoute(context, pages, navigate, mails)] : []),
  ];
}
