import type { RequestHandler } from "express";
import type { Fragment } from "../../rendering/fragment.ts";
import type { PageRenderer } from "../../rendering/page-renderer.tsx";
import type { AppContext } from "../feature.ts";
import type { MailReader } from "../newsletter/service.ts";
import { demoPages, homeRoute } from "./demo-pages.tsx";
import { outboxRoute } from "./outbox-route.tsx";
import { overviewRoute } from "./overview-route.tsx";
import { widgetsRoute } from "./widgets-route.tsx";

interface Shown {
  fragments: readonly Fragment[];
  /** The fragment that belongs into the head of pages. */
  head: Fragment;
  /** The newsletter's mails; undefined if they aren't shown. */
  mails: MailReader | undefined;
  pages: PageRenderer;
}

/** The service's own pages: the demo shop, the overview of the fragments, the widgets and the outbox. */
export function createSitePages(context: AppContext, { fragments, head, mails, pages }: Shown): RequestHandler[] {
  const { demo, overview } = context.env;
  return [
    homeRoute(context, pages),
    ...(overview
      ? [overviewRoute(context, pages, fragments, head, mails !== undefined), widgetsRoute(context, pages)]
      : []),
    ...(mails ? [outboxRoute(context, pages, mails)] : []),
    ...(demo ? [demoPages(context, pages)] : []),
  ];
}
